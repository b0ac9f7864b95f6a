# sparse gradients
import torch
from torch import nn

table = nn.Embedding(9, 2, sparse=True)
optimizer = torch.optim.Adam(table.parameters())
table(torch.tensor([1, 2])).sum().backward()
optimizer.step()  # run: `SparseAdam`
