# in a batch
import numpy as np
from torch.utils.data import DataLoader

rows = [np.zeros(4)[::-1], np.ones(4)[::-1]]
batch = next(iter(DataLoader(rows, batch_size=2)))  # run: reversed rows
