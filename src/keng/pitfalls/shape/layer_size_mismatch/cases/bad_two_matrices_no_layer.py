# two matrices, no layer
import torch

a, b = torch.ones(2, 4), torch.ones(3, 3)
c = a @ b  # run: `a has 4 columns but b has 3 rows`
