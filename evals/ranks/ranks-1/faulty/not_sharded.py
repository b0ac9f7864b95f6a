import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 128

    def __getitem__(self, i):
        x = torch.tensor([i / 128.0, 1.0])
        return x, x[:1] ** 2


dist.init_process_group("gloo")
rank = int(os.environ["RANK"])
loader = DataLoader(Squares(), batch_size=16, shuffle=True)  # run: loader-not-sharded
torch.manual_seed(100 + rank)
model = DDP(nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1)))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(4):
    for x, y in loader:  # run: loader-not-sharded
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(f"epoch {epoch}: {loss.item():.4f}")
dist.destroy_process_group()
