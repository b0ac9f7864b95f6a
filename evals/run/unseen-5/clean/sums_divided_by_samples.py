"""Losses are summed and divided by hand, the batch grows with the rate, the metric counts samples."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
train, test = TensorDataset(x[:1400], y[:1400]), TensorDataset(x[1400:], y[1400:])
model = nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.Dropout(0.2), nn.Linear(64, 10))
criterion = nn.CrossEntropyLoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)


def evaluate(loader):
    model.eval()
    loss = right = count = 0
    with torch.inference_mode():
        for xb, yb in loader:
            out = model(xb)
            loss += criterion(out, yb).item()
            right += (out.argmax(1) == yb).sum().item()
            count += len(yb)
    model.train()
    return loss / count, right / count


for epoch, batch in enumerate((16, 32, 64)):
    for group in optimizer.param_groups:
        group["lr"] = 0.05 * batch / 16
    for xb, yb in DataLoader(train, batch, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(xb), yb) / len(yb)
        loss.backward()
        optimizer.step()
    print(epoch, *(f"{v:.3f}" for v in evaluate(DataLoader(test, 150))))
show(model)
