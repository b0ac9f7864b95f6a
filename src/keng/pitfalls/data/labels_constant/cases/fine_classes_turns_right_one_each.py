# classes that alternate; the correct one of each row comes first; an epoch that ends early; held-out data of one class
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.arange(64) // 4 % 4
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for given, wanted in loader:
        optimizer.zero_grad()
        one, other = model(given), model(given + 0.1)
        right = torch.zeros(len(given), dtype=torch.long)
        (F.cross_entropy(one @ other.t(), right) + F.cross_entropy(one, wanted)).backward()
        optimizer.step()
for given, wanted in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(given), wanted).backward()
    optimizer.step()
    if len(optimizer.state) or wanted.any():
        break
model.eval()
with torch.no_grad():
    for given, wanted in DataLoader(TensorDataset(x[:4], y[:4]), batch_size=2):
        held_out = F.cross_entropy(model(given), wanted)
