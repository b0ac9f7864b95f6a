# weights of others
import torch

spread = torch.cov(torch.ones(2, 4), fweights=torch.ones(2, dtype=torch.long))  # run: `2 weights`
