# an average that is loaded too; a copy that stays; a target that is copied over
import copy

import torch
from torch import nn

torch.manual_seed(0)
trained, model = nn.Linear(4, 2), nn.Linear(4, 2)
average, reference, target = (copy.deepcopy(model).requires_grad_(False) for _ in range(3))
initial = {name: p.detach().clone() for name, p in model.named_parameters()}
state = trained.state_dict()
model.load_state_dict(state)
average.load_state_dict(state)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    x = torch.randn(8, 4)
    optimizer.zero_grad()
    (model(x) - target(x)).square().mean().backward()
    optimizer.step()
    distance = (model.weight - initial["weight"]).norm() + (model(x) - reference(x)).norm()
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), model.parameters()):
            slow.lerp_(fast, 0.01)
    if step % 4 == 3:
        target.load_state_dict(model.state_dict())
