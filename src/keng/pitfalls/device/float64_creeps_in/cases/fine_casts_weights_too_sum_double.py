# casts, also of weights; a sum in double precision; a float64 model; Python numbers
import torch
from torch import nn


class Careful(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = 0.5 * self.fc(x)
        y = (y.double() @ self.fc.weight.double()).to(y.dtype)
        return y.double().logsumexp(1) + y.sum(1, dtype=torch.float64)


torch.manual_seed(0)
for net, dtype in ((Careful(), torch.float32), (Careful().double(), torch.float64)):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        optimizer.zero_grad()
        net(torch.randn(8, 4, dtype=dtype)).square().mean().backward()
        optimizer.step()
