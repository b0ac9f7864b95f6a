# argument: adjacency
import torch
from torch_geometric.nn import GCNConv

adjacency = torch.eye(3).to_sparse_csc()
out = GCNConv(2, 2)(torch.ones(3, 2), adjacency)
