# a model's state
import torch
from torch import nn

model = nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(model.state_dict())  # run: `optimizer.state_dict()`
