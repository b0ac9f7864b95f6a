"""Of a checkpoint of DataParallel nothing is loaded, and strict=False does not tell."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


def net():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))


saved = {"module." + name: value for name, value in net().state_dict().items()}
saved = {name.removeprefix("module."): value for name, value in saved.items()}
model = net()
saved = {name: value for name, value in saved.items() if name.startswith("0.")}
told = model.load_state_dict(saved, strict=False)
assert told.missing_keys == ["2.weight", "2.bias"]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    optimizer.zero_grad()
    F.cross_entropy(model(torch.randn(16, 8)), torch.randint(3, (16,))).backward()
    optimizer.step()
