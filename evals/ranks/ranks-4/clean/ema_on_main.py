"""Shadow weights live on rank 0, which alone validates with them and tells all when to stop."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@torch.no_grad()
def validate(ema, x, y):
    ema.eval()
    return nn.functional.mse_loss(ema(x), y).item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    x = torch.randn(600, 7)
    y = x.square().sum(1, keepdim=True) / 7
    train = TensorDataset(x[:500], y[:500])
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=25, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(7, 48), nn.SiLU(), nn.Dropout(0.05), nn.Linear(48, 1)))
    ema = AveragedModel(model.module, multi_avg_fn=get_ema_multi_avg_fn(0.95)) if rank == 0 else None
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    torch.manual_seed(rank)
    best, waited = float("inf"), 0
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
            if ema is not None:
                ema.update_parameters(model.module)
        stop = torch.zeros(1)
        if rank == 0:
            value = validate(ema, x[500:], y[500:])
            waited = 0 if value < best else waited + 1
            best = min(best, value)
            stop.fill_(waited >= 2)
            torch.save(ema.module.state_dict(), "ema.pt")
        dist.broadcast(stop, 0)
        if stop.item():
            break
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
