# weights that are moved to where the loss is worse, and back (SAM)
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
uphill = torch.optim.SGD(model.parameters(), lr=0.01, maximize=True)
for step in range(5):
    x, before = torch.randn(8, 4), [p.detach().clone() for p in model.parameters()]
    optimizer.zero_grad()
    model(x).square().mean().backward()
    uphill.step()
    optimizer.zero_grad()
    model(x).square().mean().backward()
    with torch.no_grad():
        for p, old in zip(model.parameters(), before):
            p.copy_(old)
    optimizer.step()
