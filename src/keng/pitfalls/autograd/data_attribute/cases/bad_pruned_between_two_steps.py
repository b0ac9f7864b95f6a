# pruned between two steps
import torch
from torch import nn

layer = nn.Linear(4, 3)
loss = layer(torch.ones(2, 4)).sum()
loss.backward()
layer.zero_grad()
layer.weight.data, layer.bias.data = layer.weight.data[:2], layer.bias.data[:2]
loss = layer(torch.ones(2, 4)).sum()
loss.backward()  # run: `another shape`
