# a version that does not warn
import torch
import torch.nn.functional as F

y = F.sigmoid(torch.ones(3)) + F.tanh(torch.ones(3))
