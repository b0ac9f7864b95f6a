# another number of groups
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.Adam([{"params": [p]} for p in model.parameters()])
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())  # run: `in groups of [1, 1]`, and one here
