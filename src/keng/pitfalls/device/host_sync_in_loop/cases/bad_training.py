# in training
import torch
from torch import nn

model = nn.Sequential(*(nn.Linear(8, 8) for _ in range(6))).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(6):
    optimizer.zero_grad()
    model(torch.randn(4, 8, device="cuda")).square().mean().backward()
    norms = {}
    for name, p in model.named_parameters():
        norms[name] = p.grad.norm().item()  # check: twelve waits a step
    optimizer.step()
