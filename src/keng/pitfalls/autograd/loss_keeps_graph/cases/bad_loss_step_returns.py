# a loss that a step returns
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def advance(x):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


losses = []
for step in range(40):
    loss = advance(torch.randn(16, 8))
    losses.append(loss)  # check: with the graph that it came with
