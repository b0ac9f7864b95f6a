# an array of objects
import numpy as np
import torch

column = np.array([1.5, None], dtype=object)
values = torch.from_numpy(column)  # run: `dtype object`
