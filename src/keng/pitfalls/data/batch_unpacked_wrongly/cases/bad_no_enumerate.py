# no enumerate
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(4, 2), torch.ones(4), torch.ones(4)))
for i, (x, y, z) in loader:  # run: `enumerate(loader)`
    pass
