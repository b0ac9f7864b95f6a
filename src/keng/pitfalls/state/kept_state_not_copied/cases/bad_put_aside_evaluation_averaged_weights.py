# put aside for an evaluation with averaged weights
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
average = copy.deepcopy(model.state_dict())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    for name, value in model.state_dict().items():
        average[name].lerp_(value, 0.1)
    trained = model.weight.detach().clone()
    state = model.state_dict()  # run: no copy on the CPU
    aside = {name: value.cpu() for name, value in state.items()}
    model.load_state_dict(average)
    model.load_state_dict(aside)

# proof
assert not torch.equal(model.weight, trained)
