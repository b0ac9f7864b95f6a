"""Parameters as a dictionary: `torch.func` for the step, per-sample gradients, an ensemble under vmap."""

import torch
from torch import nn
from torch.func import functional_call, grad, grad_and_value, stack_module_state, vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
params = {name: p.detach() for name, p in net.named_parameters()}


def loss_of(params, x, y):
    return nn.functional.mse_loss(functional_call(net, params, (x,)), y)


for step in range(12):
    x, y = torch.randn(16, 4), torch.randn(16, 1)
    grads, loss = grad_and_value(loss_of)(params, x, y)
    params = {name: p - 0.05 * grads[name] for name, p in params.items()}
per_sample = vmap(grad(loss_of), in_dims=(None, 0, 0))(
    params, torch.randn(8, 1, 4), torch.randn(8, 1, 1)
)
noise = torch.stack([g.flatten(1).var(0).mean() for g in per_sample.values()])

members = [nn.Linear(4, 1) for _ in range(3)]
stacked, buffers = stack_module_state(members)
outputs = vmap(lambda p, x: functional_call(members[0], p, (x,)), in_dims=(0, None))(
    stacked, torch.randn(16, 4)
)
spread = outputs.std(0).mean()
