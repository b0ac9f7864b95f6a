# along a dimension, with floats
import torch

x, order = torch.zeros(3, 4), torch.zeros(3, 1)
y = torch.take_along_dim(x, order, 1)  # run: `order` is float32
