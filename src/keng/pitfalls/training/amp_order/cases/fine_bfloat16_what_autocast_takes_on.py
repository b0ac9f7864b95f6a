# bfloat16, and what autocast takes on a CPU, need no scaler; switched off
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(2, 8, 4):
    optimizer.zero_grad()
    with torch.autocast("cpu"):
        loss = model(x).float().square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16, enabled=False):
        loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
