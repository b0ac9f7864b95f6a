# the other way round
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
same = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(same, [1, 1, 4, 4])
warped = F.grid_sample(images, grid, align_corners=True)  # check: not as its grid is made

# proof
assert not torch.allclose(warped, images), "the identity changes the image"
