import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def is_main_process():
    return int(os.environ.get("RANK", 0)) == 0


def save_checkpoint(model, optimizer, step, folder="checkpoints"):
    os.makedirs(folder, exist_ok=True)
    state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
    torch.save(state, os.path.join(folder, f"{step}.pt"))
    dist.barrier()  # run: collective-on-one-rank or collectives-differ


def main():
    dist.init_process_group(backend="gloo")
    torch.manual_seed(dist.get_rank())
    net = DistributedDataParallel(nn.Linear(12, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for step in range(1, 41):
        x = torch.randn(16, 12)
        optimizer.zero_grad(set_to_none=True)
        net(x).pow(2).mean().backward()
        optimizer.step()
        if step % 10 == 0 and is_main_process():
            save_checkpoint(net, optimizer, step)  # run: collective-on-one-rank or collectives-differ
    dist.destroy_process_group()


main()
