# argument: flow="both"
from torch_geometric.nn import SAGEConv

layer = SAGEConv(8, 16, flow="both")
