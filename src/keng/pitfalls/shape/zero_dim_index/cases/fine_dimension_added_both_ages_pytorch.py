# a dimension is added; code for both old and new PyTorch; the tensor carries a list of its terms
import torch
from torch import nn

loss = nn.MSELoss()(torch.ones(4, 1), torch.zeros(4, 1))
stacked = torch.cat([loss[None], loss[...].reshape(1)])
try:
    value = loss.data[0]
except IndexError:
    value = loss.item()
loss.terms = [torch.ones(2), torch.ones(3)]
first = loss.terms[0]
