# rows of an array; windows of a series; by a method; a patch that is cut out
import numpy as np
import torch
from torch.utils.data import Dataset

rng = np.random.default_rng(0)
table = np.array(rng.normal(5, 2, (8, 4)), dtype=np.float32)
before = table.copy()
series = torch.arange(20.0)
images = torch.ones(4, 6, 6)


class Table(Dataset):
    def __len__(self):
        return len(table)

    def __init__(self):
        self.table = table

    def __getitem__(self, i):
        row = self.table[i]
        row *= 2  # check: the array as well
        return torch.from_numpy(row)


class Windows(Dataset):
    def __init__(self, size):
        self.series, self.size = series, size

    def __len__(self):
        return len(self.series) - self.size

    def __getitem__(self, i):
        window = self.series[i : i + self.size]
        window.sub_(window.mean())  # check: as well
        return window


class Cut(Dataset):
    def __init__(self):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        at = torch.randint(0, 4, (1,)).item()
        image[at : at + 2, at : at + 2] = 0  # check: another hole in each epoch
        return image


Table()[0], Windows(5)[3], Cut()[1]

# proof
assert table[0, 0] == 2 * before[0, 0]
assert series[5] == 0 and images.sum() < images.numel()
