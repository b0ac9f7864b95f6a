# whole batches
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.zeros(8, 2))
loader = DataLoader(data, batch_sampler=[[0, 1], [2, 3]], batch_size=2)  # run: `whole batches`
