# argument: torch.zeros(3)
import torch
from kornia.geometry.calibration.distort import tilt_projection

matrix = tilt_projection(torch.zeros(2), torch.zeros(3))
