# the rest in one variable
import torch

*rest, h, w = torch.ones(3, 8, 8).shape
