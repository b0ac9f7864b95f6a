"""Gradients of each sample are clipped, summed and noised, and never given to the parameters."""

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.func import functional_call, grad, vmap
from torch.nn import functional as F


class Private:
    def __init__(self, model, bound=1.0, noise=0.5):
        self.model, self.bound, self.noise = model, bound, noise
        self.of_each = vmap(grad(self.loss), in_dims=(None, 0, 0))

    def loss(self, weights, x, y):
        scores = functional_call(self.model, weights, (x.unsqueeze(0),))
        return F.cross_entropy(scores, y.unsqueeze(0))

    def backward(self, x, y):
        weights = {name: value.detach() for name, value in self.model.named_parameters()}
        each = self.of_each(weights, x, y)
        norms = torch.stack([g.flatten(1).norm(dim=1) for g in each.values()]).norm(dim=0)
        factor = (self.bound / norms.clamp_min(1e-6)).clamp(max=1)
        for name, parameter in self.model.named_parameters():
            summed = torch.einsum("n,n...->...", factor, each[name])
            noisy = summed + self.noise * self.bound * torch.randn_like(summed)
            parameter.summed_gradient = noisy / len(x)


torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_breast_cancer(return_X_y=True))
x = ((x - x.mean(0)) / x.std(0)).float()
model = nn.Sequential(nn.Linear(30, 16), nn.Tanh(), nn.Linear(16, 2))
private = Private(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(5):
    for part in torch.randperm(len(x)).split(64):
        optimizer.zero_grad()
        private.backward(x[part], y[part])
        optimizer.step()  # run: step-not-taken
with torch.no_grad():
    print(f"{F.cross_entropy(model(x), y).item():.4f}")
show(model)
