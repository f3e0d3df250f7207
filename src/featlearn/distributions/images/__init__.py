"""Image sets: the official files of MNIST, CIFAR-10, SVHN and Tiny ImageNet, and small digits.

The digits are part of scikit-learn and need no file.
"""

from featlearn.distributions.images.download import get as get
from featlearn.distributions.images.folders import data_folder as data_folder
from featlearn.distributions.images.folders import find as find
from featlearn.distributions.images.folders import folder_of as folder_of
from featlearn.distributions.images.images import Images as Images
from featlearn.distributions.images.law import PointSet as PointSet
from featlearn.distributions.images.law import two_classes as two_classes
from featlearn.distributions.images.load import State as State
from featlearn.distributions.images.load import checksum_of as checksum_of
from featlearn.distributions.images.load import load as load
from featlearn.distributions.images.load import state as state
from featlearn.distributions.images.products import Products as Products
from featlearn.distributions.images.products import digit_products as digit_products
from featlearn.distributions.images.sources import SOURCES as SOURCES
