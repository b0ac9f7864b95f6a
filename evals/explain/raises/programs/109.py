# argument: {3: 0.0, "paper": 1.0}
from torch_geometric.transforms.pad import NodeTypePadding

padding = NodeTypePadding({3: 0.0, "paper": 1.0})
