import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    x = torch.cat([torch.randn(128, 6) - 3, torch.randn(128, 6) + 3])
    data = TensorDataset(x, (x.sum(1) > 0).long())
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    net = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
    model = DDP(net, broadcast_buffers=False)  # run: sync-batchnorm-missing or ranks-diverge
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        model.train()
        for inputs, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()  # run: sync-batchnorm-missing or ranks-diverge
    model.eval()
    with torch.no_grad():
        right = (model(x).argmax(1) == data.tensors[1]).float().mean()
    print(f"rank {rank}: {right:.4f}")
    dist.barrier()
    dist.destroy_process_group()


main()
