# the program asks whether its loss is finite, and leaves a broken batch out
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(20):
    x = torch.randn(8, 4)
    if step == 7:
        x[0, 0] = float("inf")
    loss = nn.functional.mse_loss(model(x), x[:, :1].clamp(-1, 1))
    if not torch.isfinite(loss):
        continue
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
