# one matrix in place of a batch; `torch.sparse.mm`
import torch

adjacency = torch.eye(3).to_sparse()
y = torch.bmm(adjacency, torch.ones(1, 3, 2))  # run: `batches`
