# no square
import torch

values, vectors = torch.lobpcg(torch.ones(8, 2), k=1)  # run: `[8, 2]`
