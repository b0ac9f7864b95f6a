# a loader with an index
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(4, 2)))
first = loader[0]  # run: `next(iter(loader))`
