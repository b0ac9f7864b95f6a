# batches of a loader
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(32, 10, 3), torch.randn(32, 10, 1)), batch_size=8)
gru, head = nn.GRU(3, 8), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*gru.parameters(), *head.parameters()])
for x, y in loader:
    optimizer.zero_grad()
    out, hidden = gru(x)  # run: batches of 8, 10 steps each
    (head(out) - y).square().mean().backward()
    optimizer.step()
