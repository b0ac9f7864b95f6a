"""Per-sample gradients set by hand for dense weights, beside rows of an embedding under SparseAdam."""

import torch
from digest import show
from torch import nn
from torch.func import functional_call, grad, vmap
from torch.nn import functional as F

torch.manual_seed(0)
tastes = torch.randn(40, 3) @ torch.randn(3, 60)
users, items = nn.Embedding(40, 6, sparse=True), nn.Embedding(60, 6, sparse=True)
mix = nn.Sequential(nn.Linear(12, 16), nn.Tanh(), nn.Linear(16, 1))
rows = torch.optim.SparseAdam([users.weight, items.weight], lr=2e-2)
dense = torch.optim.SGD(mix.parameters(), lr=0.2, momentum=0.5)


def one(weights, pair, taste):
    return F.mse_loss(functional_call(mix, weights, (pair,)).squeeze(), taste)


of_each = vmap(grad(one), in_dims=(None, 0, 0))
for turn in range(80):
    user, item = torch.randint(40, (64,)), torch.randint(60, (64,))
    pair = torch.cat([users(user), items(item)], 1)
    if turn % 2:
        weights = {name: value.detach() for name, value in mix.named_parameters()}
        each = of_each(weights, pair.detach(), tastes[user, item])
        norms = torch.stack([g.flatten(1).norm(dim=1) for g in each.values()]).norm(dim=0)
        factor = (1.0 / norms.clamp_min(1e-6)).clamp(max=1)
        for name, value in mix.named_parameters():
            summed = torch.einsum("n,n...->...", factor, each[name])
            value.grad = (summed + 0.1 * torch.randn_like(summed)) / 64
        dense.step()
    else:
        rows.zero_grad()
        loss = F.mse_loss(mix(pair).squeeze(1), tastes[user, item])
        for value, slope in zip(
            (users.weight, items.weight), torch.autograd.grad(loss, (users.weight, items.weight))
        ):
            value.grad = slope
        rows.step()
    if turn % 20 == 18:
        print(f"{loss.item():.4f}")
show(users, items, mix)
