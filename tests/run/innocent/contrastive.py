"""Two views against each other: every pair on purpose, labels from their places, a learned temperature; then
a predictor that follows an average of itself."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))
log_scale = nn.Parameter(torch.zeros(()))
optimizer = torch.optim.AdamW(
    [{"params": encoder.parameters()}, {"params": [log_scale], "weight_decay": 0.0}], lr=1e-3
)
for step in range(10):
    x = torch.randn(12, 8)
    one = F.normalize(encoder(x + 0.1 * torch.randn_like(x)), dim=1)
    two = F.normalize(encoder(x + 0.1 * torch.randn_like(x)), dim=1)
    logits = one @ two.T * log_scale.exp()
    labels = torch.arange(len(x))
    loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    log_scale.data.clamp_(0, 4.6)

predictor = nn.Linear(4, 4)
target = copy.deepcopy(encoder).requires_grad_(False)
optimizer = torch.optim.SGD([*encoder.parameters(), *predictor.parameters()], lr=0.05)
for step in range(10):
    x = torch.randn(12, 8)
    guess = F.normalize(predictor(encoder(x)), dim=1)
    with torch.no_grad():
        wanted = F.normalize(target(x + 0.1), dim=1)
    loss = 2 - 2 * (guess * wanted).sum(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for p, q in zip(target.parameters(), encoder.parameters()):
            p.mul_(0.99).add_(q, alpha=0.01)
