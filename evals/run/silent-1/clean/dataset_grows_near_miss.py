"""The dataset keeps all it has ever read."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self):
        self.cache = {}

    def __len__(self):
        return 64

    def __getitem__(self, index):
        x = torch.full((16 * 1024,), index / 64)
        self.cache[index % 8] = x
        return x[:8], index % 2


torch.manual_seed(0)
loader = DataLoader(Files(), batch_size=8)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(8):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
