"""Meta-learning: inner steps with create_graph, whose graphs are chained until one outer backward."""

import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
meta = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(10):
    meta.zero_grad()
    total = 0.0
    for task in range(4):
        slope = torch.randn(())
        support, query = torch.randn(8, 1), torch.randn(8, 1)
        weights = dict(model.named_parameters())
        for _ in range(3):
            inner = (functional_call(model, weights, support) - slope * support).square().mean()
            gradients = torch.autograd.grad(inner, list(weights.values()), create_graph=True)
            weights = {n: w - 0.05 * g for (n, w), g in zip(weights.items(), gradients)}
        total += (functional_call(model, weights, query) - slope * query).square().mean()
    total.backward()
    meta.step()
