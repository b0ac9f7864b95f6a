"""Uneven shards under Join, with an optimizer whose state is spread over the ranks."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.join import Join
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def shard(rank):
    g = torch.Generator().manual_seed(rank)
    x = torch.randn(64 + 24 * rank, 12, generator=g)
    return TensorDataset(x, x.sum(1, keepdim=True))


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 1)))
    optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=3e-3)
    loader = DataLoader(shard(rank), batch_size=8, shuffle=True)
    for epoch in range(3):
        losses = []
        with Join([model, optimizer]):
            for x, y in loader:
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(model(x), y)
                loss.backward()
                optimizer.step()
                losses.append(loss.detach())
        total = torch.stack([torch.stack(losses).sum(), torch.tensor(float(len(losses)))])
        dist.all_reduce(total)
        if rank == 0:
            print(f"epoch {epoch}: {total[0] / total[1]:.4f} over {int(total[1])} batches")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
