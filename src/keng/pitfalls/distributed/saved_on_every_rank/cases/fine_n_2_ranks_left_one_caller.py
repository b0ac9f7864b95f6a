# 2 ranks; saved on one rank because of the caller, an early return or a named test
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
is_main_process = dist.get_rank() == 0


def save(path):
    torch.save(model.module.state_dict(), path)


def save_once():
    if dist.get_rank() > 0:
        return
    torch.save(model.module.state_dict(), "last.pt")


class Trainer:
    def __init__(self, gpu_id):
        self.gpu_id = gpu_id

    def save(self):
        torch.save(model.module.state_dict(), "trained.pt")

    def train(self):
        if self.gpu_id == 0:
            self.save()


if is_main_process:
    save("model.pt")
    torch.save(model.module.state_dict(), "best.pt")
save_once()
Trainer(dist.get_rank()).train()
dist.barrier()
