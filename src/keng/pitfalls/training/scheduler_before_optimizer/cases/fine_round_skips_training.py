# the scheduler steps behind an accumulation, and behind a loop that may be left before it trains
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
for epoch in range(3):
    for n, batch in enumerate(torch.randn(5, 8, 4)):
        if n == 4:
            break
        (model(batch).square().mean() / 2).backward()
        if (n + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
    decay.step()
