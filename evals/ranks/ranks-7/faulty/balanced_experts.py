"""A mixture of experts that is balanced by a bias of its router, without an extra loss."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

EXPERTS, TOP, KINDS = 6, 2, 8


class Mixture(nn.Module):
    def __init__(self, dim=24, hidden=24):
        super().__init__()
        self.router = nn.Linear(dim, EXPERTS, bias=False)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim)) for _ in range(EXPERTS))
        self.register_buffer("expert_bias", torch.zeros(EXPERTS))
        self.register_buffer("tokens_per_expert", torch.zeros(EXPERTS), persistent=False)

    def forward(self, x):
        scores = self.router(x).sigmoid()
        chosen = (scores + self.expert_bias).topk(TOP, 1).indices
        gates = torch.zeros_like(scores).scatter(1, chosen, scores.gather(1, chosen))
        if self.training:
            self.tokens_per_expert += F.one_hot(chosen, EXPERTS).sum((0, 1))
        return x + sum(gates[:, i : i + 1] * expert(x) for i, expert in enumerate(self.experts))


def update_expert_bias(mixture, rate=0.02):
    tokens = mixture.tokens_per_expert
    delta = rate * torch.sign(tokens.mean() - tokens)  # any: ranks-diverge
    mixture.expert_bias += delta - delta.mean()
    mixture.tokens_per_expert.zero_()


class Net(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.enter = nn.Linear(12, dim)
        self.mixture = Mixture(dim)
        self.head = nn.Linear(dim, KINDS)

    def forward(self, x):
        return self.head(self.mixture(self.enter(x)))


def shard(rank, count=900):
    """Documents of one language on each rank: most of its samples are of a few kinds."""
    centers = 1.1 * torch.randn(KINDS, 12, generator=torch.Generator().manual_seed(0))
    generator = torch.Generator().manual_seed(10 + rank)
    weights = torch.full((KINDS,), 0.1)
    weights[4 * rank : 4 * rank + 4] = 1.0
    kinds = weights.multinomial(count, True, generator=generator)
    return centers[kinds] + torch.randn(count, 12, generator=generator), kinds


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(8)
    model = DDP(Net(), broadcast_buffers=False)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    optimizer.register_step_pre_hook(lambda *_: update_expert_bias(model.module.mixture))
    x, y = shard(rank)
    valid_x, valid_y = shard(rank, 300)
    for epoch in range(8):
        model.train()
        for index in torch.randperm(800, generator=torch.Generator().manual_seed(epoch)).split(40):
            loss = F.cross_entropy(model(x[index]), y[index])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = (model(valid_x).argmax(1) == valid_y).float().mean()
        dist.all_reduce(right)
        if rank == 0 and epoch % 3 == 1:
            print(f"epoch {epoch} accuracy {right.item() / world:.4f}", flush=True)
    biases = [torch.empty(EXPERTS) for _ in range(world)]
    dist.all_gather(biases, model.module.mixture.expert_bias)
    if rank == 0:
        print("bias of the experts on each rank", [[round(v, 3) for v in bias.tolist()] for bias in biases], flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
