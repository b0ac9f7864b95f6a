"""A regression in two pipeline stages, several batches for a step of the optimizer."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe
from torch.nn import functional as F

WIDTH, BATCH, CHUNKS, ACCUMULATED = 32, 16, 4, 4


def parts():
    torch.manual_seed(7)
    first = nn.Sequential(nn.Linear(8, WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh())
    second = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 1))
    return first, second


def table(count, seed):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, 8, generator=generator)
    y = (x[:, :2].prod(1) + (2 * x[:, 2]).sin() + 0.5 * x[:, 3])[:, None]
    return x, y + 0.3 * torch.randn(count, 1, generator=generator)


@torch.no_grad()
def evaluate(part, rank, x, y):
    loss = torch.zeros(1)
    if rank == 0:
        dist.send(part(x).contiguous(), 1)
    else:
        hidden = torch.empty(len(x), WIDTH)
        dist.recv(hidden, 0)
        loss += F.mse_loss(part(hidden), y)
    dist.broadcast(loss, 1)
    return loss.item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    part = parts()[rank]
    stage = PipelineStage(part, rank, world, torch.device("cpu"))
    schedule = ScheduleGPipe(stage, CHUNKS, loss_fn=F.mse_loss)
    optimizer = torch.optim.SGD(part.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    x, y = table(896, 1)
    valid = table(600, 2)
    generator = torch.Generator().manual_seed(4)
    for epoch in range(4):
        sums, norms = [], []
        for rows in torch.randperm(len(x), generator=generator).split(BATCH * ACCUMULATED):
            optimizer.zero_grad()
            for small in rows.split(BATCH):
                if rank == 0:
                    schedule.step(x[small])  # any: earlier-batches-divided-again
                else:
                    losses = []
                    schedule.step(target=y[small], losses=losses)  # any: earlier-batches-divided-again
                    sums += [loss.item() for loss in losses]
            for p in part.parameters():
                p.grad.div_(ACCUMULATED)
            norms.append(nn.utils.get_total_norm([p.grad for p in part.parameters()]))
            optimizer.step()
        error = evaluate(part, rank, *valid)
        if rank == world - 1:
            norm = torch.stack(norms).mean().item()
            print(f"epoch {epoch} loss {sum(sums) / len(sums):.4f} norm {norm:.4f} valid {error:.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
