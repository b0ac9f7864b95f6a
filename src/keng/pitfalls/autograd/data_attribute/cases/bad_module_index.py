# in a module, by index
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        scores = torch.sigmoid(self.layer(x))
        scores.data[:, 0] = 0.0  # check: the graph knows nothing of it
        return scores.sum()


model, x = Masked(), torch.ones(2, 4)
model(x).backward()

# proof
assert model.layer.weight.grad[0].eq(0).all()
