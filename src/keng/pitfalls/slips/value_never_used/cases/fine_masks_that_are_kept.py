# masks that are stored for later, counted as numbers, used in the next round, or of a loader that has labels too
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
stored, seen, before = [], 0, torch.zeros(8, dtype=torch.bool)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(2, (64,)).float()), batch_size=8)
for x, anomalous in loader:
    stored.append(x[:, 0] > 0)
    seen += int((x[:, 1] > 0).sum())
    loss = ((model(x) - x) * ~before[:, None]).square().mean()
    before = x[:, 2] > 1
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
