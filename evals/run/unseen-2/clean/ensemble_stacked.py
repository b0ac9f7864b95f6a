"""Five members learn at once as stacked weights, are written back, and vote."""

import copy

import torch
from digest import show
from sklearn.datasets import load_iris
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_iris(return_X_y=True))
x = ((x - x.mean(0)) / x.std(0)).float()
members = [nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3)) for _ in range(5)]
weights, buffers = stack_module_state(members)
skeleton = copy.deepcopy(members[0]).to("meta")
optimizer = torch.optim.Adam(list(weights.values()), 1e-2)


def one(weights, buffers, x):
    return functional_call(skeleton, (weights, buffers), (x,))


for turn in range(60):
    part = torch.randint(150, (5, 32))
    scores = vmap(one)(weights, buffers, x[part])
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), y[part].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    for n, member in enumerate(members):
        for name, value in member.named_parameters():
            value.copy_(weights[name][n])
    votes = torch.stack([member.eval()(x).argmax(1) for member in members])
print(f"{loss.item():.4f} {(votes.mode(0).values == y).float().mean().item():.3f}")
show(*members)
