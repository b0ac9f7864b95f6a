# counts of what is not counted
import torch

counts = torch.bincount(torch.tensor([-1, 2]))  # run: `integers from 0`
