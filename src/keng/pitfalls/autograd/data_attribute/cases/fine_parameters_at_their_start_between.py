# parameters at their initialization and between steps; tensors without a graph; an update without gradients
import torch
from torch import nn

model = nn.Linear(4, 4)
model.weight.data.normal_(0.0, 0.02)
for p in model.parameters():
    p.data.mul_(0.9)
    p.data = p.data.clone()
mask = torch.zeros(4)
mask.data[0] = 1.0
with torch.no_grad():
    y = model(torch.ones(1, 4))
    y.data[0] = 0.0
shadow = model.weight.data.clone()


class Sparse:
    def __init__(self, data):
        self.data, self.weights = data, torch.ones(3)

    def scaled(self):
        other = Sparse(self.data * self.weights)
        other.data[0] = 0.0
        other.data *= 2
        return other


Sparse(torch.ones(3)).scaled()
