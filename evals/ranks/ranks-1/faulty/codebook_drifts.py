import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Quantizer(nn.Module):
    """Codes that follow the inputs by a running mean, as in VQ-VAE."""

    def __init__(self, codes, width):
        super().__init__()
        self.register_buffer("codebook", torch.randn(codes, width))

    def forward(self, z):
        nearest = torch.cdist(z, self.codebook).argmin(1)
        if self.training:
            with torch.no_grad():
                for code in nearest.unique():
                    self.codebook[code].lerp_(z[nearest == code].mean(0), 0.1)  # run: ranks-diverge or models-differ-between-ranks
        return z + (self.codebook[nearest] - z).detach()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 4), Quantizer(8, 4), nn.Linear(4, 6))
    model = DDP(net, broadcast_buffers=False)  # run: ranks-diverge or models-differ-between-ranks
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for step in range(70):
        x = torch.randn(32, 6, generator=generator)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), x).backward()
        optimizer.step()  # run: ranks-diverge or models-differ-between-ranks
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
