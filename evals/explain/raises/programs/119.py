# argument: photo
import torch
from kornia.metrics import ssim

photo = torch.rand(3, 16, 16)
value = ssim(photo, photo, window_size=5)
