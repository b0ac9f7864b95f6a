# two masks
import torch
from torch.masked import masked_tensor

x = masked_tensor(torch.rand(2), torch.tensor([True, False]))
y = masked_tensor(torch.rand(2), torch.tensor([True, True]))
z = x + y  # run: masks
