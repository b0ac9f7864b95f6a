# another kind, whose groups have the same options
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.Adam(model.parameters())
model(torch.ones(1, 2)).sum().backward()
before.step()
optimizer = torch.optim.Adamax(model.parameters())
optimizer.load_state_dict(before.state_dict())
optimizer.step()  # run: `exp_inf`
