# a new head, then a new optimizer with groups for the parts of the model
import torch
from torch import nn

model = nn.Sequential()
model.body, model.head = nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.Adam(model.parameters())
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
model.head = nn.Linear(8, 3)
groups = [{"params": model.head.parameters(), "lr": 1e-2}, {"params": model.body.parameters()}]
optimizer = torch.optim.Adam(groups, lr=1e-3)
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
