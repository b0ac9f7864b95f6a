"""Four micro-batches of a mean loss each are added up under autocast."""

from itertools import islice

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def chunks(loader, size):
    stream = iter(loader)
    while chunk := list(islice(stream, size)):
        yield chunk


torch.manual_seed(0)
x, y = load_breast_cancer(return_X_y=True)
x = torch.tensor((x - x.mean(0)) / x.std(0)).float()
loader = DataLoader(TensorDataset(x, torch.tensor(y)), batch_size=16, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(30, 40), nn.LayerNorm(40), nn.ReLU(), nn.Linear(40, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(5):
    for chunk in chunks(loader, 4):
        for rows, labels in chunk:
            with torch.autocast("cpu", torch.bfloat16):
                loss = criterion(model(rows), labels)
            loss.backward()  # run: accumulation-unscaled
        optimizer.step()  # run: accumulation-unscaled
        optimizer.zero_grad()
    print(epoch, round(loss.item(), 3))
show(model)
