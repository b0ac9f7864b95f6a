import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model, accumulate):
        self.model, self.accumulate = model, accumulate
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def micro_step(self, number, x, y):
        last = (number + 1) % self.accumulate == 0
        with contextlib.nullcontext() if last else self.model.no_sync():
            loss = nn.functional.cross_entropy(self.model(x), y) / self.accumulate
            loss.backward()
        if last:
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(7)
    model = DDP(nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2)))
    trainer = Trainer(model, accumulate=4)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for number in range(240):
        x = torch.randn(4, 10, generator=generator)
        trainer.micro_step(number, x, torch.randint(0, 2, (4,), generator=generator))
    dist.destroy_process_group()


main()
