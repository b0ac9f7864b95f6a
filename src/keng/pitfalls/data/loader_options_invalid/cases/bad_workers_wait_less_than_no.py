# workers that are to wait less than no time
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(8, 2)), num_workers=-1)  # run: `num_workers`
