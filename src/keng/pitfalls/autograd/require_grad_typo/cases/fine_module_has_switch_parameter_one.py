# a module that has this setting, and a parameter of one
from torch import nn


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Linear(4, 2)

    @property
    def requires_grad(self):
        return self.down.weight.requires_grad

    @requires_grad.setter
    def requires_grad(self, on):
        self.down.requires_grad_(on)


adapter = Adapter()
adapter.requires_grad = False
adapter.down.bias.requires_grad = True
