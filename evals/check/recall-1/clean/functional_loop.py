"""Training with torch.func: no optimizer object, no .grad."""
import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value, vmap

model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
params = {k: v.detach() for k, v in model.named_parameters()}


def loss_fn(params, x, y):
    pred = functional_call(model, params, (x,))
    return ((pred.squeeze(-1) - y) ** 2).mean()


def sgd(params, grads, lr):
    return {k: p - lr * grads[k] for k, p in params.items()}


x = torch.randn(128, 5)
y = x[:, 0] * 2 - x[:, 1]
for step in range(50):
    grads, loss = grad_and_value(loss_fn)(params, x, y)
    params = sgd(params, grads, 0.05)
    if step % 10 == 0:
        print(step, loss.item())

per_sample = vmap(grad(loss_fn), in_dims=(None, 0, 0))(params, x.unsqueeze(1), y.unsqueeze(1))
norms = torch.stack([g.flatten(1).norm(dim=1) for g in per_sample.values()]).norm(dim=0)
print('largest', norms.max().item())

# by hand, on leaves
w = torch.zeros(5, requires_grad=True)
for step in range(50):
    loss = ((x @ w - y) ** 2).mean()
    (g,) = torch.autograd.grad(loss, w)
    with torch.no_grad():
        w -= 0.1 * g
for step in range(50):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
print(w)
