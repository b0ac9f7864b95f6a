# a sampler that only several processes have
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

data = TensorDataset(torch.arange(8.0))
several = len(data) > 4
sampler = RandomSampler(data) if several else None
loader = DataLoader(data, batch_size=2, sampler=sampler, shuffle=True)  # check: `sampler`
