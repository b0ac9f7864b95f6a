# by the function
import torch
import torch.nn.functional as F
from torch import nn

model, x, y = nn.Linear(4, 1), torch.randn(1, 4), torch.rand(1)
p = torch.squeeze(torch.sigmoid(model(x)))
loss = F.l1_loss(p, y)  # check: the batch goes too

# proof
assert p.shape == () and y.shape == (1,)
