# slow samples without any training
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    def __len__(self):
        return 42

    def __getitem__(self, index):
        time.sleep(0.015)
        return torch.randn(4)


total = sum(x.sum() for x in DataLoader(Slow()))
