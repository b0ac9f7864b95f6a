# counted in the constructor; rows of a table; the value that is to be foretold
import torch
from torch.utils.data import Dataset


class Ahead(Dataset):
    def __init__(self, table, past, ahead=5):
        self.table = table
        self.past, self.ahead = past, ahead
        self.count = table.shape[0] - past

    def __len__(self):
        return self.count  # check: run past the end

    def __getitem__(self, index):
        end = index + self.past
        return self.table[index:end], self.table[end + self.ahead - 1]


data = Ahead(torch.randn(30, 2), 8)
first, foretold = data[0]

# proof
assert len(data) - 1 + data.past + data.ahead > len(data.table)
