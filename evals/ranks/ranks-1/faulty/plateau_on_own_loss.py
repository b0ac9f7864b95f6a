import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Fitter:
    def __init__(self, rank):
        self.generator = torch.Generator().manual_seed(rank)
        torch.manual_seed(0)
        self.model = DDP(nn.Linear(5, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.2)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=1)

    def batch(self):
        x = torch.randn(8, 5, generator=self.generator)
        return x, x[:, :1] + torch.randn(8, 1, generator=self.generator)

    def epoch(self):
        total = 0.0
        for _ in range(10):
            x, y = self.batch()
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()  # run: ranks-diverge or models-differ-between-ranks
            total += loss.item()
        self.scheduler.step(total / 10)  # run: ranks-diverge or models-differ-between-ranks


dist.init_process_group("gloo")
fitter = Fitter(dist.get_rank())
for _ in range(15):
    fitter.epoch()
dist.destroy_process_group()
