# the size of an array
import numpy as np
import torch

x = np.ones((3, 2))
batch = torch.as_tensor(x).view(x.size(0), -1)  # run: an array
