# only one of the two
import torch
from torch.backends import cudnn


def prepare(seed=None):
    if seed is not None:
        torch.manual_seed(seed)
        cudnn.deterministic = True
    else:
        cudnn.benchmark = True


def fast():
    cudnn.benchmark = True


def repeatable():
    cudnn.deterministic = True


prepare()
