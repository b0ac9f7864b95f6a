# the rate is made for the sum of the gradients, and the helper divides by itself
import torch
from torch import nn

model = nn.Linear(4, 1)
accumulation_steps = 4
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 / accumulation_steps)


def step_loss(x, y):
    return {"loss": (model(x).squeeze(1) - y).square().mean()}


for i in range(8):
    loss = step_loss(torch.randn(8, 4), torch.randn(8))["loss"]
    loss.backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
