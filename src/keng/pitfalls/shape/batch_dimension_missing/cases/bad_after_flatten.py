# after a flatten
import torch
from torch import nn

norm = nn.BatchNorm2d(12)
out = norm(torch.ones(4, 12))  # run: BatchNorm1d
