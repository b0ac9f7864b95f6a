# what stands in the brackets of a tensor is no index
import torch

x = torch.ones(4, 3)
middle = x[x.shape[0] // 2]
