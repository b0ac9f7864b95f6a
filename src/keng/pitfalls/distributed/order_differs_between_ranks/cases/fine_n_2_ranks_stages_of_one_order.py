# 2 ranks, the two stages of a pipeline, whose loaders shuffle by one seed
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
rows = torch.randn(24, 6)
data = TensorDataset(rows, rows.sum(1, keepdim=True))
torch.manual_seed(rank)
stage = nn.Sequential(nn.Linear(6, 12), nn.Tanh()) if rank == 0 else nn.Linear(12, 1)
optimizer = torch.optim.SGD(stage.parameters(), lr=0.01)
order = torch.Generator().manual_seed(10)
loader = DataLoader(data, batch_size=4, shuffle=True, drop_last=True, generator=order)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        if rank == 0:
            out = stage(x)
            dist.send(out.detach(), 1)
            grad = torch.empty_like(out)
            dist.recv(grad, 1)
            out.backward(grad)
        else:
            hidden = torch.empty(4, 12)
            dist.recv(hidden, 0)
            hidden.requires_grad_()
            (stage(hidden) - y).square().mean().backward()
            dist.send(hidden.grad, 0)
        optimizer.step()
