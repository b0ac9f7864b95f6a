"""DiLoCo: every process trains alone for a round, then an outer step with Nesterov momentum joins the weights."""

import torch
import torch.distributed as dist
from torch import nn

ROUNDS, INNER = 8, 15


def build():
    return nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))


class Outer:
    def __init__(self, model, lr=0.7, momentum=0.9):
        self.anchor = [p.detach().clone().requires_grad_() for p in model.parameters()]
        for p in self.anchor:
            dist.broadcast(p.data, src=0)
        self.optimizer = torch.optim.SGD(self.anchor, lr=lr, momentum=momentum, nesterov=True)
        self.pull(model)

    @torch.no_grad()
    def pull(self, model):
        for p, a in zip(model.parameters(), self.anchor):
            p.copy_(a)

    @torch.no_grad()
    def step(self, model):
        for p, a in zip(model.parameters(), self.anchor):
            a.grad = a - p
            dist.all_reduce(a.grad)
            a.grad /= dist.get_world_size()
        self.optimizer.step()
        self.pull(model)


def batch(g, rank, size=64):
    x = torch.randn(size, 8, generator=g) + 0.5 * rank  # every site has its own patients
    return x, (x[:, :1] * x[:, 1:2]).tanh() + 0.3 * x[:, 2:3]


@torch.no_grad()
def evaluate(model, rank):
    x, y = batch(torch.Generator().manual_seed(5 + rank), rank, 200)
    total = torch.stack([(model(x) - y).square().sum(), torch.tensor(float(len(x)))])
    dist.all_reduce(total)
    return (total[0] / total[1]).item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = build()
    outer = Outer(model)
    inner = torch.optim.AdamW(model.parameters(), lr=2e-3)
    g = torch.Generator().manual_seed(1000 + rank)
    for r in range(ROUNDS):
        for _ in range(INNER):
            x, y = batch(g, rank)
            loss = nn.functional.mse_loss(model(x), y)
            inner.zero_grad()
            loss.backward()
            inner.step()
        outer.step(model)
        error = evaluate(model, rank)
        if rank == 0:
            print(f"round {r} error {error:.4f}", flush=True)
    if rank == 0:
        torch.save(model.state_dict(), "joined.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
