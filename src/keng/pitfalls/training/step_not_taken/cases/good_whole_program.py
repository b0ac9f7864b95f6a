# the good program of the page with its training
import torch
from torch import nn


class Careful(torch.optim.SGD):
    def step(self, closure=None):
        norms = [p.grad.norm() for group in self.param_groups for p in group["params"]]
        if max(norms) <= 10.0:
            super().step(closure)


torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = Careful(model.parameters(), lr=0.01)
for step in range(40):
    x = torch.randn(8, 4) * (100.0 if step == 1 else 1.0)
    optimizer.zero_grad()
    (model(x) - x.sum(1, keepdim=True)).square().mean().backward()
    optimizer.step()
