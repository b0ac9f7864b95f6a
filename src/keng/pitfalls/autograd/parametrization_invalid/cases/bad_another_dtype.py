# another dtype
from torch import nn
from torch.nn.utils import parametrize


class Other(nn.Module):
    def forward(self, weight):
        return weight.double()


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Other())  # run: `dtype`
