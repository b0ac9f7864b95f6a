# after OpenTSLM#49 (review): gradients that a rank does not have are not averaged, and the ranks' calls shift
import torch
import torch.distributed as dist
from torch import nn


class Experts(nn.Module):
    def __init__(self, size, number):
        super().__init__()
        self.gate = nn.Linear(size, number)
        self.experts = nn.ModuleList(nn.Linear(size, size) for _ in range(number))

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        chosen = weights.mean(0).argmax().item()
        return weights[:, chosen, None] * self.experts[chosen](x)


def average(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)  # run: collectives-differ or averaging-by-hand-incomplete or ranks-diverge
            parameter.grad /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(3)
    model = nn.Sequential(Experts(8, 3), nn.LayerNorm(8), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.manual_seed(50 + rank)
    for _ in range(40):
        x = torch.randn(6, 8) + torch.randn(8)
        y = (x[:, 0] > 0).long()
        optimizer.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(model(x), y).backward()
        average(model)
        optimizer.step()
    if rank == 0:
        torch.save(model.state_dict(), "experts.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
