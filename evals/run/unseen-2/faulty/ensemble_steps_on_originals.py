"""An ensemble learns stacked copies of its members, and the optimizer holds the members."""

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
optimizer = torch.optim.Adam(  # run: step-not-taken or parameters-not-optimized
    [p for member in members for p in member.parameters()], 1e-2
)


def one(weights, buffers, x):
    return functional_call(skeleton, (weights, buffers), (x,))


for turn in range(60):
    part = torch.randint(150, (32,))
    scores = vmap(one, in_dims=(0, 0, None))(weights, buffers, x[part])
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), y[part].repeat(len(members)))
    optimizer.zero_grad()
    loss.backward()  # run: step-not-taken
    optimizer.step()  # run: step-not-taken
    if turn % 20 == 19:
        print(f"{loss.item():.4f}")
show(*members)
