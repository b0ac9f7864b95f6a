# each part of a batch clears what the others have taught
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1, bias=False)
before = model.weight.detach().clone()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
parts = torch.randn(4, 8, 4)
for step, x in enumerate(parts):
    loss = model(x).square().mean() / 4
    optimizer.zero_grad()  # check: only the last backward counts
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()

# proof
alone = before.clone().requires_grad_()
(parts[3] @ alone.t()).square().mean().div(4).backward()
assert torch.allclose(model.weight, before - 0.1 * alone.grad)
