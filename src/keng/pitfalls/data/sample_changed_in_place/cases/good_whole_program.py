# the good program of the page with its training
import torch
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Spectra(Dataset):
    def __init__(self, x, y, mean, std):
        self.x, self.y = x, y
        self.mean, self.std = mean, std

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        row = (self.x[index] - self.mean) / self.std
        return row, self.y[index]


x, y = 5 + 2 * torch.randn(64, 4), torch.randn(64)
loader = DataLoader(Spectra(x, y, x.mean(0), x.std(0)), batch_size=64)
first, second = ([batch for batch, _ in loader][0] for _ in range(2))
