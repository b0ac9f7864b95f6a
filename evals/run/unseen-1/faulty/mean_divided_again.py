"""A mean loss is divided by the size of the batch once more."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
data = TensorDataset(torch.tensor(x).float() / 16, torch.tensor(y))
model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    total = 0.0
    for rows, labels in DataLoader(data, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(rows), labels) / len(rows)  # run: -
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, round(total, 4))
show(model)
