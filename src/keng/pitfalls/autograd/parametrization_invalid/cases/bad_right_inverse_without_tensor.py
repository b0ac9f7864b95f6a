# no tensor
from torch import nn
from torch.nn.utils import parametrize


class Scaled(nn.Module):
    def forward(self, weight):
        return weight * 2

    def right_inverse(self, weight):
        return weight.mean().item() / 2


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Scaled())  # run: `float`
