# an element that is none
from torch import nn
from torch.nn.utils import parametrize


class Sum(nn.Module):
    def forward(self, weight, shift):
        return weight + shift

    def right_inverse(self, weight):
        return weight, 0.0


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Sum())  # run: `float`
