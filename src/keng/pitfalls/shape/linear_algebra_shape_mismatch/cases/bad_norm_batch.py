# a norm of a batch
import torch

size = torch.norm(torch.ones(2, 3, 4), p="nuc")  # run: `dim=(-2, -1)`
