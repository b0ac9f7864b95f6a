# used before the workers start; no workers; seeded for each sample or in each worker
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Split(Dataset):
    def __init__(self):
        self.rng = np.random.RandomState(0)
        self.indices = self.rng.permutation(8)

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.indices[index]


class Jitter(Dataset):
    def __init__(self):
        self.rng = random.Random(0)

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.rng.random()


class Seeded(Jitter):
    def __getitem__(self, index):
        return self.rng.random() + torch.rand(1)


class ByIndex(Jitter):
    def __init__(self):
        self.rng = random.Random()

    def __getitem__(self, index):
        self.rng.seed(index)
        return self.rng.random()


def seed(worker):
    get_worker_info().dataset.rng.seed(torch.initial_seed())


batches = list(DataLoader(Split(), num_workers=2))
batches = list(DataLoader(Jitter(), num_workers=0))
batches = list(DataLoader(ByIndex(), num_workers=2))
batches = list(DataLoader(Seeded(), num_workers=2, worker_init_fn=seed))
