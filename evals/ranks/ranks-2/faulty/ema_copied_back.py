# after lucidrains/ema-pytorch#9: the average is kept on rank 0 alone, and put into the model now and then
import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Ema:
    def __init__(self, model, beta=0.9, update_model_every=20):
        self.online = model
        self.average = copy.deepcopy(model).requires_grad_(False)
        self.beta, self.every, self.seen = beta, update_model_every, 0

    @torch.no_grad()
    def update(self):
        self.seen += 1
        for mine, theirs in zip(self.average.parameters(), self.online.parameters(), strict=True):
            mine.lerp_(theirs, 1 - self.beta)
        if self.seen % self.every == 0:
            self.online.load_state_dict(self.average.state_dict())  # run: ranks-diverge or models-differ-between-ranks


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(1)
    denoiser = nn.Sequential(nn.Linear(6, 32), nn.SiLU(), nn.Linear(32, 6))
    model = DDP(denoiser)  # run: ranks-diverge or models-differ-between-ranks
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    ema = Ema(denoiser) if rank == 0 else None
    torch.manual_seed(100 + rank)
    for _ in range(120):
        clean = torch.randn(16, 6)
        noise = torch.randn_like(clean)
        loss = nn.functional.mse_loss(model(clean + noise), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # run: ranks-diverge or models-differ-between-ranks
        if ema:
            ema.update()
    dist.destroy_process_group()


main()
