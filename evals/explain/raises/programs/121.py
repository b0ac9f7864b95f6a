# argument: thresholds="0.5"
import torch
from kornia.enhance import solarize

image = torch.rand(1, 3, 4, 4)
solar = solarize(image, thresholds="0.5")
