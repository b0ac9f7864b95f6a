"""A generator on the dataset is copied into each worker: the same augmentations, again in each epoch."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Noisy(Dataset):
    def __init__(self):
        self.noise = np.random.default_rng(0).normal(size=(64, 8))

    def __len__(self):
        return 64

    def __getitem__(self, index):
        noise = self.noise[index] + np.random.normal(size=8)
        return torch.tensor(noise, dtype=torch.float32), index % 2




torch.manual_seed(0)
loader = DataLoader(Noisy(), batch_size=8, num_workers=2)
model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
