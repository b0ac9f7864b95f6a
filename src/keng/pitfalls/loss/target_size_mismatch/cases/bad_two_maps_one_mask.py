# two maps for one mask
import torch
import torch.nn.functional as F

scores, masks = torch.zeros(2, 2, 4, 4), torch.ones(2, 1, 4, 4)
loss = F.binary_cross_entropy_with_logits(scores, masks)  # run: `a model of 1 output`
