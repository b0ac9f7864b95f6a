# the loss is divided where it is computed; several terms of one loss, each with its own `backward()`
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1)

    def forward(self, x, y):
        output = self.head(x)
        return output, F.mse_loss(output, y)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps, scales = 4, 3
for step in range(2):
    for micro in range(accumulation_steps):
        with torch.autocast("cpu", enabled=False):
            _, loss = model(torch.ones(2, 4), torch.ones(2, 1))
            loss = loss / accumulation_steps
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
x, y = torch.ones(2, 4), torch.ones(2, 1)
for step in range(2):
    for scale in range(scales):
        _, loss = model(x / (scale + 1), y)
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
