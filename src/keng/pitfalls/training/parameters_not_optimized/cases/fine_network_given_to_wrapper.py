# The network is a part of the module that is optimized.
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, net: nn.Module, scale: float) -> None:
        super().__init__()
        self.net = net
        self.scale = scale

    def logits(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x / self.scale)


net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
model = Scaled(net, 2.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model.logits(torch.randn(6, 4)), torch.randint(3, (6,)))
    loss.backward()
    optimizer.step()
