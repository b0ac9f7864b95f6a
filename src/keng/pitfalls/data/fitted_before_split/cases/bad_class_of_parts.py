# a data set that holds one part of its rows, and whose scaler sees all
import numpy as np
from sklearn.preprocessing import StandardScaler
from torch.utils.data import Dataset


class Series(Dataset):
    def __init__(self, rows, proportion=0.8, period="train"):
        scaler = StandardScaler()
        scaler.fit(rows)  # check: `rows`
        self.mean = scaler.mean_
        data = scaler.transform(rows)
        cut = int(len(data) * proportion)
        first, rest = data[:cut], data[cut:]
        self.samples = first if period == "train" else rest

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, at):
        return self.samples[at]


rows = np.arange(20.0).reshape(10, 2)
train, test = Series(rows), Series(rows, period="test")

# proof
assert train.mean[0] == rows[:, 0].mean()
