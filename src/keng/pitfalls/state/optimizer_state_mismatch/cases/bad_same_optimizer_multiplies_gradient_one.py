# the same, of an optimizer that multiplies the gradient by the one before
import torch
from torch import nn

before, model = nn.Linear(4, 91), nn.Linear(4, 7)
saved = torch.optim.Rprop(before.parameters())
before(torch.ones(2, 4)).sum().backward()
saved.step()
optimizer = torch.optim.Rprop(model.parameters())
optimizer.load_state_dict(saved.state_dict())
model(torch.ones(2, 4)).sum().backward()
optimizer.step()  # run: `91 values for a parameter of 7`
