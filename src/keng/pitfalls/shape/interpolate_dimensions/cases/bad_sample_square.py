# of a sample that is not square
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self):
        self.raw = torch.rand(4, 3, 12, 16)

    def __len__(self):
        return len(self.raw)

    def __getitem__(self, index):
        return F.interpolate(self.raw[index], size=8)  # run: its width alone


batches = list(DataLoader(Pictures(), batch_size=2))

# proof
assert batches[0].shape == (2, 3, 12, 8)
