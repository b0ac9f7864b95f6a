# columns that meet as many rows
import torch

queries, keys = torch.ones(2, 5, 8), torch.ones(2, 6, 8)
scores = torch.bmm(queries, keys.mT)
product = torch.ones(5, 8) @ torch.ones(8, 6)
