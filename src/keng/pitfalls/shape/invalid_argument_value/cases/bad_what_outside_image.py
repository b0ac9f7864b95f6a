# what is outside of an image
import torch
import torch.nn.functional as F

image, grid = torch.ones(1, 3, 8, 8), torch.zeros(1, 2, 2, 2)
y = F.grid_sample(image, grid, padding_mode="reflect", align_corners=False)  # run: `'reflection'`
