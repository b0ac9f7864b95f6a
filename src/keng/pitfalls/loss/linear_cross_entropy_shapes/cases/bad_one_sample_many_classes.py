# one sample of many classes
import torch
import torch.nn.functional as F

hidden, labels = torch.ones(3), torch.zeros(4).long()
loss = F.linear_cross_entropy(hidden, torch.ones(5, 4, 3), labels)  # run: `unsqueeze(0)`
