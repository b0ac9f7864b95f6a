# on another name
from torch import nn
from torch.nn.utils import parametrize

layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weights", nn.ReLU())  # run: `weights`
