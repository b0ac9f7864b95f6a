"""Sharded within pairs and replicated across them; the norm for clipping is summed by hand."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def clip_grad_norm(model, limit):
    grads = [p.grad.to_local() for p in model.parameters() if p.grad is not None]
    total = sum(g.float().square().sum() for g in grads)
    dist.all_reduce(total)  # run: fsdp-misused
    norm = total.sqrt()
    factor = torch.clamp(limit / (norm + 1e-6), max=1.0)
    for g in grads:
        g.mul_(factor)  # run: fsdp-misused
    return norm


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Embedding(48, 32), nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 48)
    )
    for layer in (model[1], model[3]):
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    torch.manual_seed(10 + rank)
    for step in range(30):
        tokens = torch.randint(0, 48, (4, 13))
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        norm = clip_grad_norm(model, 0.3)  # run: fsdp-misused
        optimizer.step()
        optimizer.zero_grad()
        if step % 10 == 0 and rank == 0:
            print(f"step {step} loss {loss.item():.3f} norm {norm.item():.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
