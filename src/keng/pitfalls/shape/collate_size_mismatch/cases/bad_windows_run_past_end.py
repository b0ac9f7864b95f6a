# windows that run past the end
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, width):
        self.series, self.width = series, width

    def __len__(self):
        return len(self.series)

    def __getitem__(self, index):
        return self.series[index : index + self.width]


loader = DataLoader(Windows(torch.randn(23), 10), batch_size=16)
for window in loader:  # run: `len(self.series) - self.width + 1`
    print(window.shape)
