# weights of others
import torch

counts = torch.bincount(torch.arange(4), torch.ones(2))  # run: `weights`
