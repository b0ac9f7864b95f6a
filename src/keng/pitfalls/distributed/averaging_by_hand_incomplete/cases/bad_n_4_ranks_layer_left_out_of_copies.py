# 4 ranks: two copies of a model in two parts; one layer is left out where the gradients of the copies are averaged
import torch
import torch.distributed as dist
from torch import nn


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, group):
        total = x.clone()
        dist.all_reduce(total, group=group)
        return total

    @staticmethod
    def backward(ctx, grad):
        return grad, None


dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
parts, _ = dist.new_subgroups_by_enumeration([[0, 1], [2, 3]])
copies, _ = dist.new_subgroups_by_enumeration([[0, 2], [1, 3]])
part, copy = rank % 2, rank // 2
torch.manual_seed(part)
up, down = nn.Linear(8, 16), nn.Linear(16, 8, bias=False)
model = nn.Sequential(up, nn.Tanh(), down)
torch.manual_seed(100)
norm = nn.LayerNorm(8)
optimizer = torch.optim.SGD([*model.parameters(), *norm.parameters()], lr=0.01)
data = torch.Generator().manual_seed(copy)
for step in range(4):
    x = torch.randn(8, 8, generator=data)
    optimizer.zero_grad()
    loss = (Sum.apply(model(norm(x)), parts) - x.roll(1, 1)).square().mean()
    loss.backward()
    for parameter in up.parameters():
        dist.all_reduce(parameter.grad, group=copies)
        parameter.grad /= 2
    for parameter in norm.parameters():
        dist.all_reduce(parameter.grad, group=parts)
        dist.all_reduce(parameter.grad)
        parameter.grad /= 4
    optimizer.step()  # run: is not summed over ranks
