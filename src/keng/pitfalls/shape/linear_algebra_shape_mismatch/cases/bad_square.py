# not square
import torch

inverse = torch.linalg.inv(torch.ones(2, 3))  # run: `2 by 3`
