"""A small mixture of experts whose gradients are averaged as soon as autograd has them."""

import torch
import torch.distributed as dist
from torch import nn


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        return torch.relu(self.lin(x))


class Moe(nn.Module):
    def __init__(self, dim=16, experts=4):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(experts))
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        busiest_first = weights.sum(0).argsort(descending=True)  # run: collectives-differ or ranks-diverge or averaging-by-hand-incomplete
        y = x
        for e in busiest_first.tolist():
            y = y + weights[:, e, None] * self.experts[e](y)
        return self.out(y)


def average_now(param):
    dist.all_reduce(param.grad)  # run: collectives-differ or ranks-diverge or averaging-by-hand-incomplete
    param.grad.div_(dist.get_world_size())


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = Moe()
    for p in model.parameters():
        p.register_post_accumulate_grad_hook(average_now)  # run: collectives-differ or ranks-diverge or averaging-by-hand-incomplete
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    torch.manual_seed(100 + rank)
    for step in range(60):
        x = torch.randn(24, 16) + 0.5 * rank
        loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 19:
            print(f"rank {rank}, step {step}: {loss.item():.3f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
