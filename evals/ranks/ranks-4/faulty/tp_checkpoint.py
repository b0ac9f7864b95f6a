"""A model that is spread by DTensor is saved by rank 0, as one saves every other model."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


def plain(state):
    """Checkpoints hold plain tensors, so that inference needs no process group."""
    return {k: v.to_local() if isinstance(v, DTensor) else v for k, v in state.items()}  # run: checkpoint-misses-shards or invalid-sharded-state-dict


def save(model, optimizer, step, folder="checkpoints"):
    if dist.get_rank() == 0:
        os.makedirs(folder, exist_ok=True)
        torch.save({"model": plain(model.state_dict()), "step": step}, f"{folder}/step_{step}.pt")  # run: checkpoint-misses-shards or invalid-sharded-state-dict
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    mesh = init_device_mesh("cpu", (world,))
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 5))
    model = parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    data = torch.Generator().manual_seed(2)
    for step in range(1, 41):
        x = torch.randn(32, 20, generator=data)
        loss = nn.functional.cross_entropy(model(x), x[:, :5].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            save(model, optimizer, step)
    if dist.get_rank() == 0:
        saved = torch.load("checkpoints/step_40.pt")["model"]
        print(loss.item(), {k: tuple(v.shape) for k, v in saved.items()})
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
