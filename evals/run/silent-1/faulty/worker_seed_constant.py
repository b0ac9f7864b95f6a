"""Each worker sets the same seed in each epoch."""

import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        x = torch.tensor([random.gauss(0, 1) for _ in range(8)])
        return x, index % 2


def init(worker):
    random.seed(0)  # run: worker-seeds-repeat


torch.manual_seed(0)
loader = DataLoader(Noisy(), batch_size=8, num_workers=2, worker_init_fn=init)  # run: worker-seeds-repeat
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
