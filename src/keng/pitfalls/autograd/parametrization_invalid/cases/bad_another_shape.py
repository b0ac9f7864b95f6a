# another shape
from torch import nn
from torch.nn.utils import parametrize


class First(nn.Module):
    def forward(self, weight):
        return weight[:1]


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", First())  # run: `returns [1, 4], but the layer needs [3, 4]`
