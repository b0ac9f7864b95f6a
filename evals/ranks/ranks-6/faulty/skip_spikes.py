"""Forecasts of sensor values; now and then a sensor sends nonsense, and such batches are left out."""

import math

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Sensor:
    def __init__(self, rank, steps, batch=32, window=24):
        self.g = torch.Generator().manual_seed(70 + rank)
        self.steps, self.batch, self.window = steps, batch, window
        self.broken = {29} if rank == 1 else set()

    def __iter__(self):
        t = torch.arange(self.window + 1.0)
        for step in range(self.steps):
            phase = 6.28 * torch.rand(self.batch, 1, generator=self.g)
            series = torch.sin(0.3 * t + phase) + 0.05 * torch.randn(self.batch, len(t), generator=self.g)
            if step in self.broken:
                series = series * 1e4
            yield series[:, :-1], series[:, -1:]


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.rnn, self.out = nn.GRU(1, hidden, batch_first=True), nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.rnn(x.unsqueeze(-1))[0][:, -1])


class Running:
    def __init__(self):
        self.value = None

    def spike(self, loss):
        return not math.isfinite(loss) or (self.value is not None and loss > 50 * self.value)

    def add(self, loss):
        self.value = loss if self.value is None else 0.95 * self.value + 0.05 * loss


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(Forecaster())
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    running, skipped = Running(), 0
    for step, (x, y) in enumerate(Sensor(rank, 80)):
        loss = (model(x) - y).square().mean()
        if running.spike(loss.item()):
            skipped += 1
            continue  # run: collectives-differ
        running.add(loss.item())
        optimizer.zero_grad()
        loss.backward()  # run: collectives-differ
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if rank == 0 and step % 20 == 0:
            print(f"step {step} loss {running.value:.4f}", flush=True)
    print(f"rank {rank} loss {running.value:.4f}, {skipped} batches left out", flush=True)
    dist.barrier()  # run: collectives-differ
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
