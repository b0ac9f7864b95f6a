# another kind, whose states have other names
import torch
from torch import nn

model = nn.Linear(2, 2)
before = torch.optim.RMSprop(model.parameters())
model(torch.ones(1, 2)).sum().backward()
before.step()
optimizer = torch.optim.Adagrad(model.parameters())
optimizer.load_state_dict(before.state_dict())
optimizer.step()  # run: no `sum`
