# the clipping before the first backward finds nothing; those after it find the gradients of the step before
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
largest = 0.0
for step in range(10):
    norm = nn.utils.clip_grad_norm_(list(model.parameters()), float("inf"))
    largest = max(largest, norm.item())
    optimizer.zero_grad()
    model(torch.randn(8, 6)).square().mean().backward()
    optimizer.step()
