# a negative label that is not `ignore_index`
import torch
from torch import nn

scores = torch.randn(4, 3, 5, 5).log_softmax(1)
target = torch.zeros(4, 5, 5, dtype=torch.int64)
target[0, 0, 0] = -1
loss = nn.functional.nll_loss(scores, target)  # run: `ignore_index=-1`
