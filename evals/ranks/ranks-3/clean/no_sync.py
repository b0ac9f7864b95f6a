import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

EVERY = 4


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(2)
    data = TensorDataset(torch.randn(184, 6), torch.randn(184, 1))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(6, 12), nn.SiLU(), nn.Linear(12, 1)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for step, (x, y) in enumerate(loader):
            last = (step + 1) % EVERY == 0 or step + 1 == len(loader)
            with contextlib.nullcontext() if last else model.no_sync():
                (nn.functional.mse_loss(model(x), y) / EVERY).backward()
            if last:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
    dist.destroy_process_group()


main()
