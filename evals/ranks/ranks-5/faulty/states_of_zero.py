"""Training is resumed with the random state that the first process had saved."""

import io

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, opt, steps, x):
    for _ in range(steps):
        noise = torch.randn_like(x)  # run: rank-seeds-equal
        level = torch.rand(len(x), 1)  # run: rank-seeds-equal
        loss = (model(x + level * noise) - noise).square().mean()  # run: rank-seeds-equal
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(12, 64), nn.SiLU(), nn.Dropout(0.1), nn.Linear(64, 12)))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    x = torch.randn(32, 12, generator=torch.Generator().manual_seed(rank))
    torch.manual_seed(100 + rank)
    train(model, opt, 10, x)

    file = io.BytesIO()
    torch.save({"model": model.state_dict(), "rng": torch.get_rng_state()}, file)
    saved = [file.getvalue() if rank == 0 else None]
    dist.broadcast_object_list(saved)  # what one process wrote, and all processes read
    state = torch.load(io.BytesIO(saved[0]))
    model.load_state_dict(state["model"])
    torch.set_rng_state(state["rng"])  # run: rank-seeds-equal

    print(f"rank {rank} loss {train(model, opt, 60, x):.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
