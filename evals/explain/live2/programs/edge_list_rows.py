import torch
from torch_geometric.data import Data
from torch_geometric.nn import SAGEConv

pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
graph = Data(x=torch.randn(4, 8), edge_index=torch.tensor(pairs))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = SAGEConv(8, 16)
        self.second = SAGEConv(16, 3)

    def forward(self, data):
        hidden = self.first(data.x, data.edge_index).relu()
        return self.second(hidden, data.edge_index)


print(Net()(graph).shape)
