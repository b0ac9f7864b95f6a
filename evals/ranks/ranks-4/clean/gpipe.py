"""Two stages under a schedule of torch.distributed.pipelining; each has layers of its own."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

DIM, BATCH, CHUNKS = 16, 32, 4


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    part = nn.Sequential(nn.Linear(DIM, DIM), nn.ReLU(), nn.Linear(DIM, DIM if rank < world - 1 else 1))
    device = torch.device("cpu")
    stage = PipelineStage(part, rank, world, device)
    schedule = ScheduleGPipe(stage, n_microbatches=CHUNKS, loss_fn=nn.MSELoss())
    optimizer = torch.optim.Adam(part.parameters(), lr=1e-3)
    data = torch.Generator().manual_seed(4)
    for step in range(15):
        x = torch.randn(BATCH, DIM, generator=data)
        y = x[:, :1]
        optimizer.zero_grad()
        if rank == 0:
            schedule.step(x)
        else:
            losses = []
            schedule.step(target=y, losses=losses)
            if step % 5 == 0:
                print(step, torch.stack(losses).mean().item())
        optimizer.step()
    torch.save(part.state_dict(), f"stage_{rank}.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
