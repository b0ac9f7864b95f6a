# sums that stay below 256; a hash, which is meant to wrap around; a float operand
import torch
from torch import nn

torch.manual_seed(0)
images = torch.randint(0, 256, (32, 3, 4, 4), dtype=torch.uint8)
codes = torch.randint(0, 256, (32, 8), dtype=torch.uint8)
model = nn.Sequential(nn.Flatten(), nn.Linear(48, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    x = images // 2 + 60 - images // 8
    halves = images * 0.5
    codes = codes * 31 + 7
    optimizer.zero_grad()
    model(x.float() / 255).square().mean().backward()
    optimizer.step()
