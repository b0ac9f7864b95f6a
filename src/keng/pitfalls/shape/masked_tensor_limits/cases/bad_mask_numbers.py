# a mask of numbers
import torch
from torch.masked import masked_tensor

x = masked_tensor(torch.rand(2), torch.ones(2))  # run: bool
