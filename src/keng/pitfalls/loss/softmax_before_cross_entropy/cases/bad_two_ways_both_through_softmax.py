# two ways, both through softmax
import torch
import torch.nn.functional as F
from torch import nn

model, temperature = nn.Linear(8, 3), 2.0
output = model(torch.randn(16, 8))
if temperature == 1:
    p = output.softmax(dim=1)
else:
    p = (output / temperature).softmax(dim=1)
loss = F.cross_entropy(p, torch.randint(3, (16,)))  # check: `p went through softmax already`
loss.backward()
