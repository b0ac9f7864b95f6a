"""Rare classes weigh more, one class is left out of the loss on purpose, and a sampler evens the rest."""

import numpy as np
import torch
from digest import show
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

x, y = make_classification(
    1000, 12, n_informative=6, n_classes=4, weights=[0.6, 0.2, 0.15, 0.05], random_state=0
)
counts = np.bincount(y)
inverse = torch.tensor(len(y) / (len(counts) * counts)).float()
UNKNOWN = 0

torch.manual_seed(0)
dataset = TensorDataset(torch.tensor(x).float(), torch.tensor(y))
plain = DataLoader(dataset, 50, shuffle=True)
even = DataLoader(dataset, 50, sampler=WeightedRandomSampler(inverse[y], len(y)))


def fit(loader, criterion):
    model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-2)
    for epoch in range(4):
        for xb, yb in loader:
            loss = criterion(model(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.3f}")
    return model


models = [
    fit(plain, nn.CrossEntropyLoss(weight=inverse)),
    fit(even, nn.CrossEntropyLoss()),
    fit(plain, nn.CrossEntropyLoss(ignore_index=UNKNOWN)),
]
show(*models)
