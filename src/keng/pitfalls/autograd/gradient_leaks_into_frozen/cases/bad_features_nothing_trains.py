# features that nothing trains
import torch
from torch import nn

torch.manual_seed(0)
features, head = nn.Linear(2, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(6):
    optimizer.zero_grad()
    y = head(features(torch.randn(8, 2)))  # run: `features`
    y.square().mean().backward()
    optimizer.step()
