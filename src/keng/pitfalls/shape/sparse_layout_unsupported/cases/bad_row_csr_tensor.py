# a row of a CSR tensor
import torch

edges = torch.eye(3).to_sparse_csr()
rows = edges[0:1]  # run: `strides`
