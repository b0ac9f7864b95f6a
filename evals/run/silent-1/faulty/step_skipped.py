"""After a step whose gradients were None the optimizer is never stepped again: injected, as dynamo did.

Source: TrainCheck, pytorch-115607 (mended in torch 2.2). Cause: step-not-taken.
"""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))


class CompiledAdam(torch.optim.Adam):
    skipped = False

    def step(self, closure=None):
        empty = all(p.grad is None for group in self.param_groups for p in group["params"])
        self.skipped = self.skipped or empty  #: faulty
        self.skipped = empty  #: clean near
        if not self.skipped:
            super().step(closure)


optimizer = CompiledAdam(model.parameters(), lr=1e-2)
optimizer.step()  #: faulty clean
for step in range(40):
    x = torch.randn(16, 8)
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), x.sum(1, keepdim=True))
    if step % 10 != 3:  #: near
        loss.backward()  #: near
    loss.backward()  #: faulty clean
    optimizer.step()  #: here
