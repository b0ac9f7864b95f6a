# there is no sampler in some runs
import sys

import torch
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

data = TensorDataset(torch.zeros(8, 2))
sampler = SubsetRandomSampler([0, 1]) if len(sys.argv) > 9 else None
print(len(DataLoader(data, sampler=sampler, shuffle=sampler is None)))
none = None
print(len(DataLoader(data, sampler=none, shuffle=True)))
