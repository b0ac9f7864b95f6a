# the module for the class
from torch import nn


class Net(nn.module):  # run: `torch.nn.Module`
    pass
