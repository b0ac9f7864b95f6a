# an array
import numpy as np
import torch

x = np.ones((3, 4), dtype="float32")
batch = x.unsqueeze(0)  # run: `torch.as_tensor`
