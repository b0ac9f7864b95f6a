# a part of the data, for validation
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
train, held_out = random_split(TensorDataset(torch.randn(100, 4)), [90, 10])
settings = {"batch_size": 16, "drop_last": True}
loaders = [DataLoader(part, **settings) for part in (train, held_out)]
counts = []
for loader in loaders:
    counts.append(sum(len(x) for (x,) in loader))  # run: 10 samples are no batch of 16

# proof
assert counts == [80, 0]
