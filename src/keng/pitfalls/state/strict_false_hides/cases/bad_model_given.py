# a model that is given
from torch import nn


def warm(net, state):
    net.load_state_dict(state, False)  # check: of the old layers nothing fits
    return net


state = {f"module.{key}": value for key, value in nn.Linear(4, 2).state_dict().items()}
net = warm(nn.Linear(4, 2), state)
