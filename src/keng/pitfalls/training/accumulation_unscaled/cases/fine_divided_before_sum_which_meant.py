# the loss is divided before; a sum that is meant to grow; gradients cleared in each batch
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
x, y = torch.ones(2, 4), torch.ones(2, 1)
for step in range(8):
    loss = F.mse_loss(model(x), y)
    loss = loss / 4
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for step in range(8):
    loss = F.mse_loss(model(x), y, reduction="sum")
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for step in range(8):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    if step % 2 == 0:
        optimizer.step()
for step in range(8):
    loss = F.mse_loss(model(x), y)
    loss.backward()
    if (step + 1) % 4 == 0:
        for p in model.parameters():
            p.grad /= 4
        optimizer.step()
        optimizer.zero_grad()
