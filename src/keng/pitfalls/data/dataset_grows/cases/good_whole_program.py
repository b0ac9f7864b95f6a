# the good program of the page with its training
import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self):
        self.read = {}

    def __len__(self):
        return 16

    def __getitem__(self, index):
        if index not in self.read:
            self.read[index] = torch.zeros(32 * 1024)
        return self.read[index][:8]


files = Files()
for epoch in range(6):
    for x in DataLoader(files, batch_size=4):
        pass
assert len(files.read) == len(files)
