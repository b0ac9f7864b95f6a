# the sampler has a name
import torch
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

data = TensorDataset(torch.zeros(8, 2))
sampler = SubsetRandomSampler([0, 1, 2])
try:
    DataLoader(data, batch_size=2, sampler=sampler, shuffle=True)  # check: `sampler` decides the order
    raised = False
except ValueError:
    raised = True

# proof
assert raised
