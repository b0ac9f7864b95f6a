# an array of NumPy, a new value, a copy, slices that do not overlap
import numpy as np
import torch

values = np.arange(5.0)
values[1:] = values[:-1]
x = torch.arange(6.0)
x[1:] = x[:-1] + 1
x[1:] = x[:-1].clone()
x[:3] = x[3:]
print(x, values)
