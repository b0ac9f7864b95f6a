# each task clears what the one before has taught
import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
heads = nn.ModuleDict({"first": nn.Linear(8, 1), "second": nn.Linear(8, 2)})
before = heads["first"].weight.detach().clone()
optimizer = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 4)
    for name, head in heads.items():
        optimizer.zero_grad()  # run: only the last backward counts
        head(body(x)).square().mean().backward()
    optimizer.step()

# proof
assert torch.equal(heads["first"].weight, before)
