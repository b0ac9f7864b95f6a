"""An iterable dataset is read to its end by each of two workers."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, rows, labels):
        self.rows, self.labels = rows, labels

    def __iter__(self):
        for row, label in zip(self.rows, self.labels):
            yield row / 16, label


torch.manual_seed(0)
digits = load_digits()
stream = Stream(torch.tensor(digits.data[:1000]).float(), torch.tensor(digits.target[:1000]))
loader = DataLoader(stream, batch_size=50, num_workers=2)  # run: iterable-dataset-duplicated
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
for epoch in range(2):
    seen = 0
    for x, y in loader:  # run: iterable-dataset-duplicated
        seen += len(x)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(seen, f"{loss.item():.4f}")
show(model)
