"""A denoising autoencoder that goes on from its checkpoint, with the random state that it had."""

import os
import sys
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


class Autoencoder(nn.Module):
    def __init__(self, width=20, hidden=48):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 6), nn.Linear(6, hidden), nn.ReLU(), nn.Linear(hidden, width))

    def forward(self, x):
        return self.layers(x)


def signals(count=1200):
    generator = torch.Generator().manual_seed(3)
    basis = torch.randn(5, 20, generator=generator)
    return torch.randn(count, 5, generator=generator).tanh() @ basis


class Run:
    def __init__(self, folder):
        self.rank, self.world = dist.get_rank(), dist.get_world_size()
        torch.manual_seed(0)
        self.model = DDP(Autoencoder())
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.path, self.epoch = os.path.join(folder, "last.pt"), 0
        self.data = signals()
        torch.manual_seed(100 + self.rank)

    def save(self):
        if self.rank == 0:
            state = {"model": self.model.module.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch, "rng": torch.get_rng_state()}
            torch.save(state, self.path)
        dist.barrier()

    def load(self):
        state = torch.load(self.path, weights_only=True)
        self.model.module.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch = state["epoch"]
        torch.set_rng_state(state["rng"])  # any: rank-seeds-equal

    def train(self, until):
        while self.epoch < until:
            order = torch.randperm(1000, generator=torch.Generator().manual_seed(self.epoch))
            total = torch.zeros(1)
            for index in order[self.rank :: self.world].split(25):
                x = self.data[index]
                noise = 0.8 * torch.randn_like(x)
                loss = F.mse_loss(self.model(x + noise), x)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.detach()
            self.epoch += 1
            self.last_noise = noise[0, :3]
            dist.all_reduce(total)
            if self.rank == 0 and self.epoch % 4 == 0:
                print(f"epoch {self.epoch} loss {total.item() / 20 / self.world:.4f}", flush=True)


def main():
    dist.init_process_group("gloo")
    folder = [tempfile.mkdtemp() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(folder, src=0)
    first = Run(folder[0])
    first.train(8)
    first.save()
    second = Run(folder[0])
    second.load()
    second.train(16)
    noises = [torch.empty(3) for _ in range(second.world)]
    dist.all_gather(noises, second.last_noise.contiguous())
    if second.rank == 0:
        with torch.no_grad():
            second.model.eval()
            held = second.data[1000:]
            noisy = held + 0.8 * torch.randn(held.shape, generator=torch.Generator().manual_seed(1))
            print(f"held-out error {F.mse_loss(second.model.module(noisy), held).item():.4f}")
        print("last noise of each rank", [[round(v, 3) for v in noise.tolist()] for noise in noises], file=sys.stdout, flush=True)
        os.remove(second.path)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
