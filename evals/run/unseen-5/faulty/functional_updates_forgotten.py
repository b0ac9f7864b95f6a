"""A functional loop moves a dictionary of weights; the model that is evaluated keeps the first ones."""

import torch
from digest import show
from sklearn.datasets import make_moons
from torch import nn
from torch.func import functional_call, grad_and_value

torch.manual_seed(0)
x, y = make_moons(400, noise=0.15, random_state=0)
x, y = torch.tensor(x).float(), torch.tensor(y)
model = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
params = {name: p.detach() for name, p in model.named_parameters()}


def loss_fn(params, x, y):
    return nn.functional.cross_entropy(functional_call(model, params, (x,)), y)


step = grad_and_value(loss_fn)
for epoch in range(5):
    for idx in torch.randperm(320).split(32):
        grads, loss = step(params, x[idx], y[idx])
        params = {name: p - 0.3 * grads[name] for name, p in params.items()}
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[320:]).argmax(1) == y[320:]).float().mean().item()  # run: -
    print(epoch, f"{loss.item():.3f} {accuracy:.3f}")
show(model)
