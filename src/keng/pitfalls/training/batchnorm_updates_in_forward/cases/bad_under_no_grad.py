# under no_grad
import torch
from torch import nn

teacher = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
student = nn.Linear(4, 1)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(16, 4) + 3
    with torch.no_grad():
        target = teacher(x)  # check: no gradients, and yet it changes
    optimizer.zero_grad()
    loss = (student(x) - target).square().mean()
    loss.backward()
    optimizer.step()

# proof
assert teacher[1].running_mean.abs().max() > 0
