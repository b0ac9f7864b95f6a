# a separate dataset; only one part is used
import copy

import torch
from torch.utils.data import Subset, TensorDataset, random_split

rows = TensorDataset(torch.randn(10, 3))
train_set, val_set = random_split(rows, [8, 2])
val_set.dataset = copy.copy(rows)
val_set.dataset.transform = None
few = Subset(TensorDataset(torch.randn(4, 3)), [0, 1])
few.dataset.transform = None
