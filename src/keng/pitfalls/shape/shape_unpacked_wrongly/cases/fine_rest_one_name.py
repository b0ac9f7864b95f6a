# `*rest` for the remaining dimensions
import torch

*rest, h, w = torch.ones(3, 8, 8).shape
