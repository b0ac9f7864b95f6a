"""A step waits for its data most of the time."""

import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 120

    def __getitem__(self, index):
        time.sleep(0.006)
        return torch.randn(8), index % 2


torch.manual_seed(0)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(Images(), batch_size=4):  # run: loader-starves-device
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
