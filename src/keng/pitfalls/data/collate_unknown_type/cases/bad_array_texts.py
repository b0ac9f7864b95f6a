# an array of texts
import numpy as np
from torch.utils.data import DataLoader

names = np.array(["a.png", "b.png"])
samples = [{"image": np.zeros(3), "name": names[n : n + 1]} for n in range(2)]
batch = next(iter(DataLoader(samples, batch_size=2)))  # run: `x.tolist()`
