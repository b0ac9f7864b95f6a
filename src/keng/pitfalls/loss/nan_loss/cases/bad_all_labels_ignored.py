# all labels are ignored
import torch
from torch import nn

net = nn.Linear(8, 3)
x, y = torch.randn(4, 8), torch.full((4,), -100)
loss = nn.functional.cross_entropy(net(x), y)  # run: `the loss became NaN: every label`
loss.backward()
