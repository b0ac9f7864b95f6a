# a class that is none
import torch
from torch import nn

scores, labels = torch.ones(3, 4), torch.tensor([0, 1, 4])
loss = nn.MultiMarginLoss()(scores, labels)  # run: `0 to C - 1`
