# the rest in one name
import torch

*rest, h, w = torch.ones(3, 8, 8).shape
