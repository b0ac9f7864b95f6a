import torch
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv

citations = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)]
edge_index = torch.tensor(citations).t().contiguous()
papers = Data(x=torch.randn(5, 6), edge_index=edge_index)

conv = GCNConv(6, 3)
scores = conv(papers.x, papers.edge_index)
print(scores.argmax(1))
