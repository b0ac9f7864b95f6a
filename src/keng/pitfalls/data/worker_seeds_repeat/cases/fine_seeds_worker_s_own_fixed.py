# a seed from the worker; a fixed seed for numbers that no sample uses
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return random.random() + float(torch.rand(()))


def by_worker(worker):
    random.seed(1000 + worker)


def by_epoch(worker):
    number = torch.initial_seed() % 2**32
    random.seed(number)


def of_another(worker):
    np.random.seed(0)


for begin in (by_worker, by_epoch, of_another):
    batches = list(DataLoader(Noise(), num_workers=2, worker_init_fn=begin))
