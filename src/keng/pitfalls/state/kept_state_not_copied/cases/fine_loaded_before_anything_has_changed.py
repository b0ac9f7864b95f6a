# loaded before any change; read from a wrapper; partly replaced; saved to a file at once
import copy
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
begun = model.state_dict()
model.load_state_dict(begun)
wrapped = nn.Sequential(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
first = copy.deepcopy(begun)
for epoch in range(3):
    optimizer.zero_grad()
    wrapped(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
model.load_state_dict({name[2:]: value for name, value in wrapped.state_dict().items()})
model.load_state_dict(begun | {"1.weight": torch.zeros(1, 4)})
model.load_state_dict(first)
