# of a bias
from torch import nn
from torch.nn.utils.parametrizations import orthogonal

layer = nn.Linear(4, 3)
orthogonal(layer, "bias")  # run: matrix
