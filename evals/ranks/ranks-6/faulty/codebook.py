"""Vector quantization with a codebook of moving averages, as in VQ-VAE 2."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Codebook(nn.Module):
    def __init__(self, codes=32, dim=8, decay=0.95):
        super().__init__()
        self.decay = decay
        entries = torch.randn(codes, dim)
        self.register_buffer("entries", entries)
        self.register_buffer("sizes", torch.ones(codes))
        self.register_buffer("sums", entries.clone())

    @torch.no_grad()
    def update(self, z, index):
        hot = F.one_hot(index, len(self.entries)).to(z.dtype)
        counts, sums = hot.sum(0), hot.T @ z
        self.sizes.mul_(self.decay).add_(counts, alpha=1 - self.decay)  # run: models-differ-between-ranks
        self.sums.mul_(self.decay).add_(sums, alpha=1 - self.decay)  # run: models-differ-between-ranks
        n = self.sizes.sum()
        smooth = (self.sizes + 1e-5) / (n + len(self.sizes) * 1e-5) * n
        self.entries.copy_(self.sums / smooth.unsqueeze(1))  # run: models-differ-between-ranks

    def forward(self, z):
        index = torch.cdist(z, self.entries).argmin(1)
        q = self.entries[index]
        if self.training:
            self.update(z.detach(), index)
        return z + (q - z).detach(), F.mse_loss(z, q.detach()), index


class VqVae(nn.Module):
    def __init__(self, dim=20):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, 8))
        self.codebook = Codebook()
        self.decoder = nn.Sequential(nn.Linear(8, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        q, commit, index = self.codebook(self.encoder(x))
        return self.decoder(q), commit, index


def patches(rank, world, n=1600):
    g = torch.Generator().manual_seed(12)
    centres = 2 * torch.randn(16, 20, generator=g)
    kind = torch.randint(0, 16, (n,), generator=g).sort().values  # the files lie by kind
    x = centres[kind] + 0.3 * torch.randn(n, 20, generator=g)
    return x.chunk(world)[rank]


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    model = DDP(VqVae())
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    x = patches(rank, world)
    g = torch.Generator().manual_seed(rank)
    for epoch in range(8):
        stats, used = torch.zeros(2), torch.zeros(32)
        for picked in torch.randperm(len(x), generator=g).split(50):
            out, commit, index = model(x[picked])
            error = F.mse_loss(out, x[picked])
            optimizer.zero_grad()
            (error + 0.25 * commit).backward()
            optimizer.step()
            stats += torch.tensor([error.item(), 1.0])
            used[index] = 1
        dist.all_reduce(stats)
        dist.all_reduce(used)
        if rank == 0:
            print(f"epoch {epoch} error {(stats[0] / stats[1]).item():.4f} codes {int((used > 0).sum())}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
