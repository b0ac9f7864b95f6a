# the good program of the page with its training
import torch
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(40, 4), torch.randn(40, 1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


batches = list(DataLoader(Pairs(), batch_size=8))
