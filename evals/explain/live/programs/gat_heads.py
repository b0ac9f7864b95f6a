import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import GATConv


class Gat(torch.nn.Module):
    def __init__(self, features, classes, hidden=16, heads=4):
        super().__init__()
        self.conv = GATConv(features, hidden, heads=heads, dropout=0.2)
        self.out = GATConv(hidden, classes)

    def forward(self, data):
        x = F.elu(self.conv(data.x, data.edge_index))
        return self.out(x, data.edge_index)


edges = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]])
graph = Data(x=torch.randn(5, 10), edge_index=edges, y=torch.randint(3, (5,)))
model = Gat(graph.num_features, 3)
loss = F.cross_entropy(model(graph), graph.y)
loss.backward()
