# a target for fewer samples
import torch
from torch import nn

loss_of = nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 6], div_value=1.0)
loss = loss_of(torch.ones(3, 4), torch.zeros(2, dtype=torch.long))  # run: `flatten`
