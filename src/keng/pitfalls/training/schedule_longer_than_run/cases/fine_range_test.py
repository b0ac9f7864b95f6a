# a range test of rates, and a warm-up that is followed by a constant rate
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
test = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.2**step)
head = nn.Linear(3, 3)
other = torch.optim.SGD(head.parameters(), lr=1e-2)
warmup = torch.optim.lr_scheduler.LambdaLR(other, lambda step: min(1.0, (step + 1) / 20))
for step in range(20):
    optimizer.zero_grad()
    other.zero_grad()
    head(model(torch.randn(4, 3))).square().mean().backward()
    optimizer.step()
    test.step()
    other.step()
    if step < 18:
        warmup.step()
