# sizes that do not add up
import torch

q, k, v = torch.ones(10).split([4, 4, 4])  # run: `10`
