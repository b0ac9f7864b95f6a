# a shift by one pixel to the right, as OpenCV writes it
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
matrix = torch.tensor([[[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(matrix, [1, 1, 4, 4], align_corners=False)
warped = F.grid_sample(images, grid, align_corners=False)

# proof
assert not torch.equal(warped[..., 1:], images[..., :-1])
assert torch.equal(warped[..., :2], images[..., 2:]), "shifted by half the image, to the left"
