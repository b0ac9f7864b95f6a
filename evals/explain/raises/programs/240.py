# argument: ratios=ratios
from torch_geometric.transforms import NodePropertySplit


def make(ratios):
    return NodePropertySplit("popularity", ratios=ratios)


split = make([0.5, 0.1, 0.1, 0.2, 0.3])
