import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Sequential(*[nn.Linear(16, 16) for _ in range(6)]))
    optimizer = ZeroRedundancyOptimizer(
        model.parameters(), optimizer_class=torch.optim.Adam, lr=1e-3
    )
    for step in range(70):
        optimizer.zero_grad()
        x = torch.randn(8, 16)
        nn.functional.mse_loss(model(x), x).backward()
        optimizer.step()
    optimizer.consolidate_state_dict(to=0)
    if rank == 0:
        torch.save(
            {"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, "z.pt"
        )
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
