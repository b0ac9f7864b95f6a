# a reduction with more
import torch
from torch.masked import masked_tensor

x = masked_tensor(torch.rand(2), torch.tensor([True, False]))
y = torch.round(x, decimals=2)  # run: `to_tensor(0)`
