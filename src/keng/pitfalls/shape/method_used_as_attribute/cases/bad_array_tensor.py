# an array for a tensor
import numpy as np
import torch
from torch import nn

loss = nn.MSELoss()(torch.ones(2), np.ones(2))  # run: `torch.as_tensor`
