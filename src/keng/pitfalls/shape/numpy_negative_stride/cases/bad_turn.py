# a turn
import numpy as np
import torch

x = torch.as_tensor(np.expand_dims(np.rot90(np.zeros((4, 4))), 0))  # check: a turned view
