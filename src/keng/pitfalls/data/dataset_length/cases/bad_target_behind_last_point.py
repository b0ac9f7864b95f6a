# a target behind the last point
import torch
from torch.utils.data import DataLoader, Dataset


class Next(Dataset):
    def __init__(self, tokens, block):
        self.tokens = tokens
        self.block = block

    def __len__(self):
        return len(self.tokens) - self.block + 1  # check: `len(self.tokens) - self.block`

    def __getitem__(self, i):
        x = self.tokens[i : i + self.block]
        y = self.tokens[i + 1 : i + self.block + 1]
        return x, y


data = Next(torch.arange(20), 8)
loader = DataLoader(data, batch_size=4)

# proof
assert len(data[len(data) - 1][1]) < data.block
