# two subsets
import torch
from torch.utils.data import Subset, TensorDataset


class Rows(TensorDataset):
    augment = False


rows = Rows(torch.randn(10, 3))
train_set = Subset(rows, range(8))
val_set = Subset(rows, range(8, 10))
train_set.dataset.augment = True  # check: `val_set` reads the same

# proof
assert val_set.dataset.augment
