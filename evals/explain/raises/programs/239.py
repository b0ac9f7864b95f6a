# argument: "degree"
from torch_geometric.transforms import NodePropertySplit

split = NodePropertySplit("degree", ratios=[0.3, 0.1, 0.1, 0.2, 0.3])
