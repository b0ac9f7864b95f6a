# copies; another tensor under the name; numbers; an operation whose repetition changes nothing; data created for each item or epoch
import numpy as np
import torch
from torch.utils.data import Dataset


class Copies(Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(8, 4), [1, 2, 3, 4, 5, 6, 7, 8]
        self.table, self.marks = np.array([[1.0, 2.0]] * 8), np.array([1.0] * 8)
        self.order = [3, 1, 2, 0]

    def __len__(self):
        return 8

    def __getitem__(self, i):
        copied = self.x[i].clone()
        copied -= copied.mean()
        row = self.table[i].copy()
        row /= row.max()
        some = self.x[self.order]
        some -= 1
        label, mark = self.y[i], self.marks[i]
        label -= 1
        mark /= 2
        other = self.x[i]
        other = other + 1
        other *= 2
        bounded = self.x[i]
        bounded.clamp_(-3, 3)
        bounded[0] = 0
        bounded[bounded.isnan()] = 0
        made = self.make(i)
        made *= 2
        noisy = self.noisy[i]
        noisy += made
        return copied, torch.from_numpy(row), some, label, mark, other, bounded, noisy

    def begin(self, epoch):
        self.noisy = self.x + 0.1 * torch.randn_like(self.x)

    def make(self, i):
        return torch.full((4,), float(i))


data = Copies()
data.begin(0)
data[0], data[0]
