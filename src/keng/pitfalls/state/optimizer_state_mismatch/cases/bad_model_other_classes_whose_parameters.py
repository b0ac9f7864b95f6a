# a model of other classes, whose parameters are as many
import torch
from torch import nn

before, model = nn.Linear(4, 91), nn.Linear(4, 7)
saved = torch.optim.Adam(before.parameters())
before(torch.ones(2, 4)).sum().backward()
saved.step()
optimizer = torch.optim.Adam(model.parameters(), foreach=True)
optimizer.load_state_dict(saved.state_dict())
model(torch.ones(2, 4)).sum().backward()
optimizer.step()  # run: `91 values`
