"""After a step whose gradients were None the optimizer is never stepped again: injected, as dynamo did."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))


class CompiledAdam(torch.optim.Adam):
    skipped = False

    def step(self, closure=None):
        empty = all(p.grad is None for group in self.param_groups for p in group["params"])
        self.skipped = empty
        if not self.skipped:
            super().step(closure)


optimizer = CompiledAdam(model.parameters(), lr=1e-2)
optimizer.step()
for step in range(40):
    x = torch.randn(16, 8)
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), x.sum(1, keepdim=True))
    loss.backward()
    optimizer.step()
