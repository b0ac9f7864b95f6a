# a sparse tensor
import torch

edges = torch.eye(3).to_sparse()
weights = torch.masked.softmax(edges, 1)  # run: `sparse_coo`
