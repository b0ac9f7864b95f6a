# zero is not "no bound"
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(16, 1)
before = model.weight.detach().clone()
optimizer = torch.optim.Adam(model.parameters())
for step in range(60):
    optimizer.zero_grad()
    model(torch.randn(64, 16)).square().mean().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.0)  # run: clips every gradient to zero
    optimizer.step()

# proof
assert torch.equal(model.weight, before)
