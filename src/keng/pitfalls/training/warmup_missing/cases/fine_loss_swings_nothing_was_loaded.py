# a loss that fluctuates; no loaded weights
import torch
from torch import nn

torch.manual_seed(0)
model, other = nn.Linear(8, 1), nn.Linear(8, 1)
other.load_state_dict(model.state_dict())
optimizer = torch.optim.SGD(other.parameters(), lr=0.001)
for step in range(6):
    optimizer.zero_grad()
    ((1 + 5 * (step % 2)) * other(torch.randn(64, 8))).square().mean().backward()
    optimizer.step()
