# the second of a batch is transposed
import torch

queries, keys = torch.ones(2, 5, 8), torch.ones(2, 6, 8)
scores = torch.bmm(queries, keys)  # run: `keys.mT`
