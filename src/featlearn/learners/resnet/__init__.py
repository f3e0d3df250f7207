"""ResNets on images. Only this folder imports torch, and only when something is computed."""

from featlearn.learners.resnet.extra import has_gpu as has_gpu
from featlearn.learners.resnet.extra import require_torch as require_torch
from featlearn.learners.resnet.network import ResNet as ResNet
