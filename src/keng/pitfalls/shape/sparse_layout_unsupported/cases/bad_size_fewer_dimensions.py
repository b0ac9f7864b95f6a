# a size of fewer dimensions
import torch

edges = torch.sparse_coo_tensor([[0, 1], [0, 1]], [1.0, 2.0], (2,))  # run: `2 rows`
