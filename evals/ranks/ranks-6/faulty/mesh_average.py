"""Two replicas of a model whose hidden layer is split over two neighbours: four processes in a grid."""

import torch
import torch.distributed as dist
from torch import nn

SPLIT = 2


class SumParts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, group):
        x = x.clone()
        dist.all_reduce(x, group=group)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class SplitMlp(nn.Module):
    def __init__(self, dim, hidden, out, group):
        super().__init__()
        self.group = group
        self.up = nn.Linear(dim, hidden // SPLIT)
        self.down = nn.Linear(hidden // SPLIT, out, bias=False)
        self.bias = nn.Parameter(torch.zeros(out))

    def forward(self, x):
        return SumParts.apply(self.down(torch.tanh(self.up(x))), self.group) + self.bias


def grid(world):
    rows = [list(range(i, i + SPLIT)) for i in range(0, world, SPLIT)]
    columns = [list(range(i, world, SPLIT)) for i in range(SPLIT)]
    row, _ = dist.new_subgroups_by_enumeration(rows)
    column, _ = dist.new_subgroups_by_enumeration(columns)
    return row, column


def average_gradients(model, group):
    n = dist.get_world_size(group)
    for p in model.parameters():
        dist.all_reduce(p.grad, group=group)
        p.grad /= n


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    row, column = grid(world)
    part, replica = rank % SPLIT, rank // SPLIT

    torch.manual_seed(40 + part)
    model = SplitMlp(10, 64, 3, row)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    data = torch.Generator().manual_seed(900 + replica)
    w = torch.randn(10, 3, generator=torch.Generator().manual_seed(0))
    for step in range(1, 121):
        x = torch.randn(64, 10, generator=data)
        y = torch.sin(x @ w)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        average_gradients(model, row)  # run: ranks-diverge
        optimizer.step()  # run: ranks-diverge
        if step % 30 == 0:
            mean = loss.detach().clone()
            dist.all_reduce(mean, group=column)
            if rank == 0:
                print(f"step {step} loss {mean.item() / dist.get_world_size(column):.4f}", flush=True)
    if replica == 0:
        torch.save(model.state_dict(), f"part-{part}.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
