"""Each fold has its own model and optimizer; the best weights of each are kept."""

import copy

import numpy as np
import torch
from digest import show
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold
from torch import nn


def fold(x, y, inside, outside):
    model = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    best, kept = -1.0, None
    for _ in range(15):
        model.train()
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[inside]), y[inside]).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            score = (model(x[outside]).argmax(1) == y[outside]).float().mean().item()
        if score > best:
            best, kept = score, copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)
    return best, model


torch.manual_seed(0)
np.random.seed(0)
data, target = load_iris(return_X_y=True)
x, y = torch.tensor(data).float(), torch.tensor(target)
runs = [fold(x, y, *parts) for parts in KFold(3, shuffle=True, random_state=1).split(data)]
print([round(score, 3) for score, _ in runs])
show(*(model for _, model in runs))
