# a class that is not there
import torch
from torch import nn

loss_of = nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 6], div_value=1.0)
loss = loss_of(torch.ones(2, 4), torch.tensor([0, 10]))  # run: `10 classes`
