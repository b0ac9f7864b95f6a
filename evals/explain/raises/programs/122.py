# argument: bandwidth=-0.1
import torch
from kornia.enhance import image_histogram2d

image = torch.rand(1, 8, 8)
counts, pdf = image_histogram2d(image, bandwidth=-0.1)
