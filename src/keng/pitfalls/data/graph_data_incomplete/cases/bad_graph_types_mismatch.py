# A layer, a split or a wrapper does not fit the types of a heterogeneous graph
import torch
from torch_geometric.data import HeteroData
from torch_geometric.nn import GATConv, HeteroConv
from torch_geometric.transforms import ToUndirected

graph = HeteroData()
graph["user"].x, graph["movie"].x = torch.ones(3, 2), torch.ones(2, 2)
graph["user", "rates", "movie"].edge_index = torch.tensor([[0, 1], [0, 1]])
graph = ToUndirected()(graph)
layer = HeteroConv({kind: GATConv((2, 2), 4) for kind in graph.edge_types})
