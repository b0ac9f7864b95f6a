import torch
from torch_geometric.nn import GATv2Conv

NODE, EDGE, HIDDEN = 6, 3, 8


class Bonds(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GATv2Conv(NODE, HIDDEN, heads=2)
        self.out = torch.nn.Linear(2 * HIDDEN, 1)

    def forward(self, atoms, bonds, features):
        return self.out(self.conv(atoms, bonds, edge_attr=features).relu())


bonds = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
print(Bonds()(torch.randn(4, NODE), bonds, torch.randn(4, EDGE)).shape)
