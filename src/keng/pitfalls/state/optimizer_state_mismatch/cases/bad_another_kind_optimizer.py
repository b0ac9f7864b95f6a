# another kind of optimizer
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(before.state_dict())
model(torch.ones(1, 2)).sum().backward()
optimizer.step()  # run: `betas`
