"""Active learning: the labelled set grows on purpose, and a model is made anew in each round."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Pool(Dataset):
    def __init__(self):
        self.rows, self.labels = [], []

    def add(self, rows, labels):
        self.rows.extend(rows)
        self.labels.extend(labels)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], self.labels[index]


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
asked, pool = torch.zeros(len(x), dtype=torch.bool), Pool()
ask = torch.randperm(len(x))[:60]
for turn in range(4):
    asked[ask] = True
    pool.add(x[ask], y[ask])
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(4):
        for rows, labels in DataLoader(pool, 30, shuffle=True):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(rows), labels).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        sure = model(x).softmax(-1).max(1).values.masked_fill(asked, 2.0)
    ask = sure.argsort()[:60]
print(int(asked.sum()))
show(model)
