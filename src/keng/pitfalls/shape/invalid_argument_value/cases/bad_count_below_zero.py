# a count below zero
import torch

counts = torch.bincount(torch.arange(4), minlength=-1)  # run: `minlength`
