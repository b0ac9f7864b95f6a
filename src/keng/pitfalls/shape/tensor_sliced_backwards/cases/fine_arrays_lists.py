# arrays and lists
import numpy as np
import torch

x = torch.arange(6)
row = x.numpy()[::-1].copy()
values = x.tolist()[::-1]
image = np.zeros((8, 8, 3))[:, :, ::-1]
for step in [1, 2, 3][::-1]:
    x = x[step - 1 : -1 : 1]
