# a parameter is taken out of its group, and its state is left
import torch
from torch import nn

model = nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(1, 2)).sum().backward()
optimizer.step()
optimizer.param_groups[0]["params"].pop()
optimizer.state_dict()  # run: `del optimizer.state[p]`
