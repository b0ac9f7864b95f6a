"""Sharded residual network on tabular data; matrices get orthogonal updates, vectors plain Adam."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import distribute_tensor


class Residual(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.norm = nn.RMSNorm(dim)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


class TabNet(nn.Module):
    def __init__(self, features=10, dim=48, depth=3, classes=3):
        super().__init__()
        self.stem, self.head = nn.Linear(features, dim), nn.Linear(dim, classes)
        self.layers = nn.ModuleList(Residual(dim) for _ in range(depth))

    def forward(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def orthogonal(g, steps=5):
    x = g / (g.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    for _ in range(steps):
        s = x @ x.T
        x = 3.4445 * x + (-4.7750 * s + 2.0315 * s @ s) @ x
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.9):
        super().__init__(params, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                buffer = self.state[p].setdefault("buffer", torch.zeros_like(p.grad))
                buffer.mul_(group["momentum"]).add_(p.grad)
                update = orthogonal(buffer.full_tensor())
                p.add_(distribute_tensor(update, p.device_mesh, p.placements), alpha=-group["lr"])


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    mesh = init_device_mesh("cpu", (world,))
    torch.manual_seed(5)
    model = TabNet()
    for layer in model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    matrices = [p for p in model.layers.parameters() if p.ndim == 2]
    rest = [p for n, p in model.named_parameters() if p.ndim == 1 or not n.startswith("layers")]
    optimizers = [Muon(matrices), torch.optim.Adam(rest, lr=2e-3)]
    g = torch.Generator().manual_seed(200 + rank)
    for step in range(1, 81):
        x = torch.randn(48, 10, generator=g)
        y = torch.stack([x[:, 0] * x[:, 1], x[:, 2] - x[:, 3], x[:, 4].square() - 1], 1).argmax(1)
        loss = nn.functional.cross_entropy(model(x), y)
        model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
        if step % 20 == 0:
            mean = loss.detach().clone()
            dist.all_reduce(mean)
            if rank == 0:
                print(f"step {step} loss {mean.item() / world:.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
