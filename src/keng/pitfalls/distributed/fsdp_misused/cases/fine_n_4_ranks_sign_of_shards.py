# 4 ranks, the update of each number needs no other
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard


def orthogonal(g):
    x = g / (g.norm() + 1e-7)
    for _ in range(5):
        x = 1.5 * x - 0.5 * x @ x.T @ x
    return x


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.to_local().add_(p.grad.to_local().sign(), alpha=-group["lr"])


dist.init_process_group("gloo")
torch.manual_seed(0)
model = fully_shard(nn.Linear(8, 8, bias=False))
optimizer = Muon(model.parameters(), 0.01 * dist.get_world_size())
torch.manual_seed(dist.get_rank())
for step in range(3):
    model(torch.randn(8, 8)).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
