"""An array of NumPy makes the whole model compute in float64."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
scale = torch.from_numpy(np.ones(8))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 8))

    def forward(self, x):
        x = x * scale  # run: float64-creeps-in
        return x @ self.weight.T.to(x.dtype)  # run: float64-creeps-in


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x, y = torch.randn(16, 8), torch.randint(3, (16,))
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)  # run: float64-creeps-in
    loss.backward()
    optimizer.step()
