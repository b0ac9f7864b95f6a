# an assignment that cannot be undone
import torch
from torch import nn
from torch.nn.utils import parametrize

layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", nn.ReLU())
layer.weight = torch.ones(3, 4)  # run: `right_inverse`
