# a loss that is made of tensors
import torch
from torch import nn

prediction, target = torch.ones(4), torch.zeros(4)
loss = nn.MSELoss(prediction, target)  # run: `nn.MSELoss()(input, target)`
