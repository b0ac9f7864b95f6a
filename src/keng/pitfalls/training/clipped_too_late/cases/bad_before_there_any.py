# before there are any
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = model(torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(model.parameters(), 0.001)  # check: they were just cleared
    loss.backward()
    optimizer.step()
norm = sum(p.grad.square().sum() for p in model.parameters()).sqrt()

# proof
assert norm > 0.001
