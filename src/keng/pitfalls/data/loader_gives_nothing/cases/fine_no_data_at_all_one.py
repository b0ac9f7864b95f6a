# no data at all; one batch that is exactly full; an iterator that is exhausted twice
import torch
from torch.utils.data import DataLoader, TensorDataset

empty = TensorDataset(torch.randn(0, 4))
full = TensorDataset(torch.randn(16, 4))
for data in (empty, full):
    for (x,) in DataLoader(data, batch_size=16, drop_last=True):
        assert len(x) == 16
batches = iter(DataLoader(full, batch_size=16, drop_last=True))
assert len(list(batches)) == 1
assert next(batches, None) is None
