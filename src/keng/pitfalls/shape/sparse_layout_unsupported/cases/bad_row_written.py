# a row that is written
import torch

edges = torch.eye(3).to_sparse()
edges[0] = 1  # run: `to_dense()`
