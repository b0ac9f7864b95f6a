# a row
import numpy as np
import torch

row = np.arange(4)
x = torch.tensor(row[::-1][None, ...].T)  # check: the last comes first
