# a mask of black and white, of two classes
import torch
import torch.nn.functional as F

scores, mask = torch.zeros(1, 2, 2, 2), torch.tensor([[[0, 255], [255, 0]]])
loss = F.cross_entropy(scores, mask)  # run: `(mask > 0).long()`
