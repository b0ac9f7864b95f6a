# elements that are drawn alike have no order
import torch
from torch import nn


def drop(weight, rate):
    rows, columns = weight.shape
    mask = torch.zeros(columns, rows)
    mask.bernoulli_(rate)
    mask = mask.view(-1, columns)
    return weight * (1 - mask)


drop(nn.Linear(3, 4).weight, 0.5)
