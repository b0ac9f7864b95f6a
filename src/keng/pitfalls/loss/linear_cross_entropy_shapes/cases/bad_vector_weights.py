# a vector of weights
import torch
import torch.nn.functional as F

hidden, labels = torch.ones(2, 3), torch.zeros(2).long()
loss = F.linear_cross_entropy(hidden, torch.ones(3), labels)  # run: `(classes, features)`
