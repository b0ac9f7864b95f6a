# the same, from scores
import torch
import torch.nn.functional as F

scores, target = torch.zeros(4), torch.ones(4, dtype=torch.long)
loss = F.binary_cross_entropy_with_logits(scores, target)  # run: this loss takes float targets
