# a layer that keeps the edges of the first graph
import torch
from torch_geometric.nn import GCNConv

layer = GCNConv(4, 8, cached=True)
for nodes in (3, 2):
    edges = torch.tensor([[0, nodes - 1], [nodes - 1, 0]])
    h = layer(torch.ones(nodes, 4), edges)
