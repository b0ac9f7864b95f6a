# windows that begin where none is left
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, width):
        self.series, self.width = series, width

    def __len__(self):
        return len(self.series)  # check: `len(self.series) - self.width + 1`

    def __getitem__(self, index):
        return self.series[index : index + self.width]


data = Windows(torch.randn(103), 10)
loader = DataLoader(data, batch_size=16)

# proof
assert len(data[len(data) - 1]) < data.width
