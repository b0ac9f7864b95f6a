"""A sparse autoencoder; only one process writes, then all of them meet."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Sae(nn.Module):
    def __init__(self, dim=16, latents=64):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(dim, latents), nn.Linear(latents, dim)

    def forward(self, x):
        top = torch.relu(self.encoder(x))
        return self.decoder(top), (top > 0).sum(0)


class Trainer:
    def __init__(self):
        torch.manual_seed(0)
        self.model = DDP(Sae())
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.fired = torch.zeros(64, dtype=torch.long)

    def save(self):
        if dist.get_rank() != 0:
            return
        torch.save(self.model.module.state_dict(), "sae.pt")
        dist.barrier()  # run: collective-on-one-rank or collectives-differ

    def fit(self, steps=60, save_every=20):
        g = torch.Generator().manual_seed(1 + dist.get_rank())
        for step in range(1, steps + 1):
            x = torch.randn(32, 16, generator=g)
            out, fired = self.model(x)
            self.fired += fired
            loss = (out - x).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()  # run: collective-on-one-rank or collectives-differ
            self.optimizer.step()
            if step % save_every == 0:
                self.save()  # run: collective-on-one-rank or collectives-differ
                dist.all_reduce(self.fired)  # run: collective-on-one-rank or collectives-differ
                if dist.get_rank() == 0:
                    print(f"step {step}: dead {(self.fired == 0).float().mean():.2f}", flush=True)
                self.fired.zero_()


if __name__ == "__main__":
    dist.init_process_group("gloo")
    Trainer().fit()
    dist.destroy_process_group()
