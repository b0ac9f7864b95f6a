# an array of objects
import numpy as np
from torch.utils.data import DataLoader

rows = np.array([[1.5, None], [2.5, 3.5]], dtype=object)
batch = next(iter(DataLoader(rows, batch_size=2)))  # run: `dtype object`
