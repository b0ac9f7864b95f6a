# a tensor without dimensions
import torch

total = torch.ones(3).sum()
for part in total:  # run: it is one number
    print(part)
