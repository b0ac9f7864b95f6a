# what backward is called on
import torch
from torch import nn


def criterion(output, target):
    return ((output - target) ** 2).mean()


model = nn.Linear(4, 1)
loss = criterion(model(torch.ones(2, 4)), torch.zeros(2, 1))
loss.backward()
print(loss.data[0])  # check: backward starts from a single number
