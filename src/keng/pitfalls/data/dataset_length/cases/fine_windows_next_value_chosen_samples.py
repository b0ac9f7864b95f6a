# windows, the next value, chosen samples, a table of names beside the data
import torch
from torch.utils.data import DataLoader, Dataset, Subset


class Windows(Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(40), torch.randn(40)

    def __len__(self):
        return 36

    def __getitem__(self, index):
        return self.x[index : index + 4], self.y[index + 4 - 1]


class Chosen(Dataset):
    def __init__(self):
        self.x, self.chosen = torch.randn(40, 2), [3, 5, 7, 11]

    def __len__(self):
        return len(self.chosen)

    def __getitem__(self, index):
        return self.x[self.chosen[index]]


class Next(Dataset):
    def __init__(self):
        self.x = torch.randn(40)

    def __len__(self):
        return len(self.x) - 1

    def __getitem__(self, index):
        return self.x[index], self.x[index + 1]


for data in (Windows(), Chosen(), Next(), Subset(Chosen(), [0, 1])):
    batches = list(DataLoader(data, batch_size=2))
