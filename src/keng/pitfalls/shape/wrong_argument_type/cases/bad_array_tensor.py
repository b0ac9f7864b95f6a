# an array and a tensor
import numpy as np
import torch

weights = torch.ones(3, requires_grad=True)
score = np.ones(3) @ weights  # run: `NumPy array`
