# a group without its parameters
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD([{"param": net.parameters()}], lr=0.1)  # run: `"params"`
