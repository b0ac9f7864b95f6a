# pairs in which either side can be normalized; a single sample; transposed afterwards
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
one, two = nn.Linear(8, 4), nn.Linear(8, 4)
x, own = torch.randn(16, 8), torch.arange(16)
alike = one(x) @ two(x).t()
loss = F.nll_loss(F.log_softmax(alike, dim=1), own) + F.nll_loss(F.log_softmax(alike, dim=0), own)
loss.backward()
F.nll_loss(F.log_softmax(one(x[0]), dim=0), torch.tensor(2)).backward()
columns = one(x).t()
F.nll_loss(F.log_softmax(columns, dim=0).t(), own % 4).backward()
