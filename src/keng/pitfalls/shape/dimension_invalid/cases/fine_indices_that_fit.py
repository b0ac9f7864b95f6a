# None and an ellipsis take no dimension, and another tensor may have the name by then
import torch

mask = torch.zeros(2, 5)
print(mask[:, None, :2].shape, mask[..., None].shape, mask[0, 1])
if mask.sum() == 0:
    mask = mask.unsqueeze(1)
print(mask[:, :, 2:].shape)
