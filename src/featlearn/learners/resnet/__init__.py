"""ResNets on images: the only folder that imports torch, and only once something is computed."""

from featlearn.learners.resnet.extra import has_gpu as has_gpu
from featlearn.learners.resnet.extra import require_torch as require_torch
from featlearn.learners.resnet.network import ResNet as ResNet
