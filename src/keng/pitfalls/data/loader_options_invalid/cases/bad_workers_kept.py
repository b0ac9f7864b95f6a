# workers to be kept
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.zeros(8, 2)), persistent_workers=True)  # run: no workers
