# inner loops that are undone; the current weights are put back; folds that begin again
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
begun = copy.deepcopy(model.state_dict())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(steps, optimizer):
    for x in torch.randn(8 * steps, 4).split(8):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


with torch.no_grad():
    for round in range(6):
        meta = [p.clone() for p in model.parameters()]
        with torch.enable_grad():
            train(4, optimizer)
        for p, kept in zip(model.parameters(), meta):
            p.copy_(kept + 0.5 * (p - kept))
for epoch in range(5):
    train(5, optimizer)
    kept = [p.detach().clone() for p in model.parameters()]
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(0.9)
        for p, own in zip(model.parameters(), kept):
            p.copy_(own)
for fold in range(5):
    model.load_state_dict(begun)
    train(5, optimizer)
