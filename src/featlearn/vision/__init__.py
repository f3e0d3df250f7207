"""ResNets on images: the only folder that imports torch, and only once something is computed."""

from featlearn.vision.extra import has_gpu as has_gpu
from featlearn.vision.extra import require_torch as require_torch
from featlearn.vision.resnet import ResNet as ResNet
