# back to the original
from torch import nn
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import weight_norm

layer = weight_norm(nn.Linear(4, 3))
parametrize.remove_parametrizations(layer, "weight", False)  # run: `leave_parametrized`
