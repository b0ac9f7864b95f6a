# the gradients of each task are read before they are cleared
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    x, kept = torch.randn(8, 4), []
    for task in range(2):
        optimizer.zero_grad()
        model(x)[:, task].square().mean().backward()
        kept.append(model.weight.grad.clone())
    model.weight.grad.copy_(kept[0] - kept[1])
    optimizer.step()
