# masks of another resolution
import torch
import torch.nn.functional as F

scores, masks = torch.ones(2, 3, 4, 4), torch.zeros(2, 8, 8).long()
loss = F.cross_entropy(scores, masks)  # run: 4 x 4 and 8 x 8
