# a mask with the border that is left out
import torch
import torch.nn.functional as F

scores, mask = torch.zeros(1, 3, 2, 2), torch.tensor([[[0, 1], [2, 255]]])
loss = F.cross_entropy(scores, mask)  # run: `ignore_index=255`
