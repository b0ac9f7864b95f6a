# argument: image.numpy()
import torch
from torchmetrics.functional.segmentation.utils import binary_erosion

image = torch.ones(1, 1, 4, 4)
eroded = binary_erosion(image.numpy())
