# rows of an embedding, by an optimizer of their own
import torch
from torch import nn

torch.manual_seed(0)
rows, head = nn.Embedding(20, 4, sparse=True), nn.Linear(4, 1)
sparse = torch.optim.SparseAdam(rows.parameters(), lr=0.01)
dense = torch.optim.Adam(head.parameters(), lr=0.01)
for step in range(4):
    dense.zero_grad()
    head(rows(torch.randint(20, (8,)))).square().mean().backward()  # run: the rows add up
    sparse.step()  # check: only the dense gradients are cleared
    dense.step()
