# weights are cast to what comes in
import numpy as np
import torch
from torch import nn

mean = torch.from_numpy(np.full(4, 0.5))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2, 4))

    def forward(self, x):
        x = x - mean
        return x @ self.weight.t().to(x.dtype)  # run: a product in float64


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
