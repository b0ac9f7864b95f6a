# no number of Python's
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

size = np.int64(4)
loader = DataLoader(TensorDataset(torch.ones(8, 2)), batch_size=size)  # run: `int(...)`
