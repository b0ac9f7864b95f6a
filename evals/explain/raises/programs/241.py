# argument: num_blocks=4
from torch_geometric.nn import RGATConv

conv = RGATConv(16, 16, num_relations=3, num_bases=2, num_blocks=4)
