import torch
import torch.distributed as dist
from torch import nn


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, group):
        x = x.clone()
        dist.all_reduce(x, group=group)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


class Pair(nn.Module):
    """A layer whose columns lie on two ranks, each with weights of its own."""

    def __init__(self, group):
        super().__init__()
        self.group = group
        self.up, self.down = nn.Linear(8, 8), nn.Linear(8, 8, bias=False)

    def forward(self, x):
        return Sum.apply(self.down(torch.relu(self.up(x))), self.group)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    rows = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    columns = [dist.new_group([0, 2]), dist.new_group([1, 3])]
    row, column = rows[rank // 2], columns[rank % 2]
    torch.manual_seed(rank % 2)  # replicas begin alike, parts do not
    layer = Pair(row)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.01)
    draws = torch.Generator().manual_seed(50 + rank // 2)  # a row sees one batch
    for _ in range(50):
        x = torch.randn(16, 8, generator=draws)
        optimizer.zero_grad()
        (layer(x) - x).square().mean().backward()
        for parameter in layer.parameters():
            dist.all_reduce(parameter.grad, group=column)
            parameter.grad /= 2
        optimizer.step()
    if rank % 2 == 0:
        total = torch.ones(1)
        dist.all_reduce(total, group=column)
    dist.barrier()
    dist.destroy_process_group()


main()
