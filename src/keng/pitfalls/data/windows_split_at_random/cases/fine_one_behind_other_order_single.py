# one part after the other; in order; single points; by series; parts without a test
import torch
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset, Subset, random_split


class Blocks(Dataset):
    def __init__(self, series, window):
        self.series, self.window = series, window

    def __len__(self):
        return len(self.series) // self.window - 1

    def __getitem__(self, i):
        start = i * self.window
        return self.series[start : start + self.window]


class Points(Dataset):
    def __init__(self, series):
        self.series = series

    def __len__(self):
        return len(self.series) - 1

    def __getitem__(self, i):
        return self.series[i : i + 1]


series = torch.randn(120)
train_set, val_set = random_split(Blocks(series, 12), [7, 2])
train_points, test_points = random_split(Points(series), [100, 19])
blocks = [series[i : i + 12] for i in range(0, 108, 12)]
train_blocks, test_blocks = train_test_split(blocks)
windows = [series[i : i + 12] for i in range(108)]
train_part, test_part = train_test_split(windows, shuffle=False)
labelled, unlabelled = random_split(windows, [54, 54])
several = [torch.randn(40) for _ in range(10)]
train_series, test_series = train_test_split(several)
train_windows = [s[i : i + 12] for s in train_series for i in range(28)]
order = torch.randperm(80).tolist()
shuffled, val_later = Subset(windows, order), Subset(windows, range(92, 108))
