# a class derived from an object
from torch import nn


class Net(nn.Module()):  # run: `nn.Module`
    pass
