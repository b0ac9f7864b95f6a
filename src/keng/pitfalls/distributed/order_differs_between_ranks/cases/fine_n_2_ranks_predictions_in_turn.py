# 2 ranks, predictions are put back in the order of the samples
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@torch.no_grad()
def predict(model, dataset):
    model.eval()
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    mine = torch.cat([model(x).squeeze(1) for x, _ in loader])
    parts = [torch.empty_like(mine) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, mine)
    return torch.stack(parts, 1).flatten()[: len(dataset)]


dist.init_process_group("gloo")
torch.manual_seed(0)
rows = torch.randn(32, 6)
data = TensorDataset(rows, rows.sum(1))
held = TensorDataset(rows[:16], rows[:16].sum(1))
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=4, sampler=sampler)
model = nn.parallel.DistributedDataParallel(nn.Linear(6, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
for epoch in range(2):
    sampler.set_epoch(epoch)
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        (model(x).squeeze(1) - y).square().mean().backward()
        optimizer.step()
    error = (predict(model, held) - held.tensors[1]).square().mean()
