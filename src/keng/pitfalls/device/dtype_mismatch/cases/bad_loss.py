# a loss
import torch
import torch.nn.functional as F

probability, target = torch.full((4,), 0.5), torch.ones(4, dtype=torch.long)
loss = F.binary_cross_entropy(probability, target)  # run: this loss takes float targets
