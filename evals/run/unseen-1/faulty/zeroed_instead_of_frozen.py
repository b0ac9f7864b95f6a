"""A layer is to stay as it is, by gradients of zero; decay and momentum move it."""

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn


def without(prefix, model):
    for name, parameter in model.named_parameters():
        if name.startswith(prefix):
            parameter.grad.zero_()


torch.manual_seed(0)
x, y = load_wine(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float(), torch.tensor(y)
model = nn.ModuleDict({"stem": nn.Linear(13, 24), "top": nn.Linear(24, 3)})
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.1)
for step in range(60):
    part = torch.randint(178, (40,))
    loss = nn.functional.cross_entropy(model["top"](model["stem"](x[part]).relu()), y[part])
    optimizer.zero_grad()
    loss.backward()
    without("stem", model)
    optimizer.step()  # run: weight-decay-on-idle-parameters
show(model)
