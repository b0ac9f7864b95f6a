# by a permutation
import torch
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

series = torch.arange(100.0)
windows = torch.stack([series[i : i + 12] for i in range(88)])
data = TensorDataset(windows, series[12:])
order = torch.randperm(len(data)).tolist()
train_loader = DataLoader(data, batch_size=8, sampler=SubsetRandomSampler(order[:70]))
val_loader = DataLoader(data, batch_size=8, sampler=SubsetRandomSampler(order[70:]))  # check: drawn

# proof
assert all(min(abs(i - j) for j in order[:70]) < 12 for i in order[70:])
