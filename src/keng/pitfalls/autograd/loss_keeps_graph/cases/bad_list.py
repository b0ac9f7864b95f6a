# a list
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = []
for step in range(40):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    losses.append(loss)  # check: each keeps its graph
mean = torch.stack(losses).mean().item()
