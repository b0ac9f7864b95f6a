# fewer than one
import torch
from torch.utils.data import DataLoader, TensorDataset

gpus = 4
data = TensorDataset(torch.ones(8, 2))
loader = DataLoader(data, batch_size=2 // gpus)  # run: `batch_size` is 0
