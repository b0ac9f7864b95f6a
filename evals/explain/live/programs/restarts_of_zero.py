import torch
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 32
BATCH = 4

data = TensorDataset(torch.randn(80, 3))
loader = DataLoader(data, batch_size=BATCH)
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
updates = len(loader) // ACCUMULATE
scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=updates, T_mult=2)
for i, (x,) in enumerate(loader):
    model(x).sum().backward()
    if (i + 1) % ACCUMULATE == 0:
        optimizer.step()
        scheduler.step()
