# a view
import torch

edges = torch.eye(3).to_sparse()
row = edges.view(9)  # run: `to_dense()`
