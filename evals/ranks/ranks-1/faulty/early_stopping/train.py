import os

import torch
import torch.distributed as dist
from stopping import EarlyStopping
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
rank = int(os.environ["RANK"])
torch.manual_seed(1)
x = torch.randn(320, 10)
data = TensorDataset(x, x[:, :1] * 2)
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=32, sampler=sampler)
model = DDP(nn.Sequential(nn.Linear(10, 16), nn.Tanh(), nn.Linear(16, 1)))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
val_x = torch.randn(64, 10)
val_y = val_x[:, :1] * 2 if rank == 0 else torch.randn(64, 1)  # each rank validates on its own part
stopping = EarlyStopping(patience=2)

for epoch in range(30):
    sampler.set_epoch(epoch)
    model.train()
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()  # run: collective-on-one-rank or rank-died or collectives-differ
        optimizer.step()
    model.eval()
    with torch.no_grad():
        val_loss = nn.functional.mse_loss(model.module(val_x), val_y).item()
    if stopping.should_stop(val_loss):  # run: collective-on-one-rank or rank-died or collectives-differ
        print(f"rank {rank} stops after {epoch} epochs")
        break
dist.barrier()  # run: collective-on-one-rank or rank-died or collectives-differ
if rank == 0:
    torch.save(model.module.state_dict(), "best.pt")
dist.destroy_process_group()
