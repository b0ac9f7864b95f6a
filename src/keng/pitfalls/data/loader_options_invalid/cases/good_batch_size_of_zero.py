# A loader or sampler is given a number or flag that it cannot use
import numpy as np
import torch
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    SequentialSampler,
    TensorDataset,
    WeightedRandomSampler,
    random_split,
)

data = TensorDataset(torch.ones(8, 2))
loader = DataLoader(data, batch_size=int(np.int64(4)), num_workers=0)
batches = BatchSampler(SequentialSampler(range(8)), batch_size=4, drop_last=True)
sampler = WeightedRandomSampler(torch.ones(8), 8)
parts = random_split(range(8), [0.5, 0.5])
