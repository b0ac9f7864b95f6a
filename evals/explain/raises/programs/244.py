# argument: torch.ones(3)
import torch
from kornia.morphology import opening

mask = torch.rand(1, 1, 8, 8)
opened = opening(mask, torch.ones(3))
