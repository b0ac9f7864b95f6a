"""Rare classes are to weigh more; the weights are the classes' shares themselves."""

import numpy as np
import torch
from digest import show
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x, y = make_classification(
    1200, 12, n_informative=6, n_classes=3, weights=[0.85, 0.1, 0.05], random_state=0
)
counts = np.bincount(y)
class_weights = torch.tensor(counts / counts.sum(), dtype=torch.float32)

torch.manual_seed(0)
loader = DataLoader(
    TensorDataset(torch.from_numpy(x).float(), torch.from_numpy(y)), 48, shuffle=True
)
model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 3))
criterion = nn.CrossEntropyLoss(weight=class_weights)  # run: -
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(4):
    hits = torch.zeros(3)
    for xb, yb in loader:
        out = model(xb)
        loss = criterion(out, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += torch.bincount(yb[out.argmax(1) == yb], minlength=3)
    print(epoch, [f"{h / c:.2f}" for h, c in zip(hits.tolist(), counts)])
show(model)
