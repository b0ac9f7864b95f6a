# micro-batches of equal size; each mean weighed by its targets
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(24):
    x, y = torch.randn(2, 12, 4), torch.randint(3, (2, 12))
    if step % 2:
        y[0, 3:] = -100
    targets = (y != -100).sum()
    for a, b in zip(x, y):
        loss = nn.functional.cross_entropy(model(a), b)
        (loss * ((b != -100).sum() / targets)).backward()
    optimizer.step()
    optimizer.zero_grad()
