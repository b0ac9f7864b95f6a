"""Two tasks, one trunk. Gradients travel in one flat bucket."""

import torch
import torch.distributed as dist
from torch import nn
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors


class TwoTasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(16, 32), nn.ReLU())
        self.heads = nn.ModuleDict({"depth": nn.Linear(32, 8), "normal": nn.Linear(32, 8)})

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


def allreduce_bucket(model):
    grads = [p.grad for p in model.parameters() if p.grad is not None]  # run: ranks-diverge or averaging-by-hand-incomplete or collectives-differ
    flat = _flatten_dense_tensors(grads)
    dist.all_reduce(flat)  # run: ranks-diverge or averaging-by-hand-incomplete or collectives-differ
    flat /= dist.get_world_size()
    for grad, reduced in zip(grads, _unflatten_dense_tensors(flat, grads)):
        grad.copy_(reduced)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(11)
    model = TwoTasks()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    targets = {"depth": torch.randn(16, 8), "normal": torch.randn(16, 8)}
    g = torch.Generator().manual_seed(rank)
    for step in range(80):
        task = ("depth", "normal")[int(torch.randint(2, (1,), generator=g))]
        x = torch.randn(12, 16, generator=g)
        loss = nn.functional.l1_loss(model(x, task), x @ targets[task])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        allreduce_bucket(model)
        opt.step()  # run: ranks-diverge or averaging-by-hand-incomplete or collectives-differ
        if step % 20 == 0 and rank == 0:
            print(step, task, loss.item())
    dist.barrier()
    dist.destroy_process_group()


main()
