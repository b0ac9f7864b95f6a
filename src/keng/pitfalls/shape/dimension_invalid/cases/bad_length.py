# its length
import torch

total = torch.ones(3).sum()
count = len(total)  # run: one number has no length
