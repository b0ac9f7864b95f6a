"""A functional loop that puts its weights back, and a stack of models that share one skeleton."""

import copy

import torch
from digest import show
from sklearn.datasets import make_moons
from torch import nn
from torch.func import functional_call, grad_and_value, stack_module_state, vmap

torch.manual_seed(0)
x, y = make_moons(400, noise=0.15, random_state=0)
x, y = torch.tensor(x).float(), torch.tensor(y)


def build():
    return nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))


def loss_fn(params, x, y):
    return nn.functional.cross_entropy(functional_call(skeleton, params, (x,)), y)


skeleton = build()
params = {n: p.detach().clone() for n, p in skeleton.named_parameters()}
velocity = {n: torch.zeros_like(p) for n, p in params.items()}
step = grad_and_value(loss_fn)
for epoch in range(4):
    for idx in torch.randperm(320).split(32):
        grads, loss = step(params, x[idx], y[idx])
        velocity = {n: 0.9 * v + grads[n] for n, v in velocity.items()}
        params = {n: p - 0.1 * velocity[n] for n, p in params.items()}
    skeleton.load_state_dict(params)
    skeleton.eval()
    with torch.no_grad():
        accuracy = (skeleton(x[320:]).argmax(1) == y[320:]).float().mean().item()
    print(epoch, f"{loss.item():.3f} {accuracy:.3f}")

models = [build() for _ in range(4)]
stacked, buffers = stack_module_state(models)
base = copy.deepcopy(models[0]).to("meta")
optimizer = torch.optim.Adam(stacked.values(), lr=1e-2)
for it in range(60):
    out = vmap(lambda p, b: functional_call(base, (p, b), (x[:320],)))(stacked, buffers)
    loss = nn.functional.cross_entropy(out.flatten(0, 1), y[:320].repeat(4), reduction="sum") / 320
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item() / 4:.3f}")
for i, model in enumerate(models):
    model.load_state_dict({n: p[i].detach() for n, p in stacked.items()})
show(skeleton, *models)
