# a sum of rows
import torch

edges = torch.eye(3).to_sparse_csr()
degrees = edges.sum(1)  # run: `keepdim=True`
