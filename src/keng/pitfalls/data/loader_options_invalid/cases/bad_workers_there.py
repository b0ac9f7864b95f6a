# workers that are not there
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.zeros(8, 2)), prefetch_factor=2)  # run: `num_workers`
