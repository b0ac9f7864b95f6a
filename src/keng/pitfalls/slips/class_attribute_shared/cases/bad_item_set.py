# an item of a dictionary, set by each object
import torch


class Settings(torch.nn.Module):
    scales = {"in": 1.0}

    def __init__(self, scale):
        super().__init__()
        self.scales["in"] = scale  # check: `scales` belongs to the class `Settings`

    def forward(self, x):
        return x * self.scales["in"]


one, two = Settings(1.0), Settings(2.0)

# proof
assert one(torch.ones(1)).item() == 2.0
