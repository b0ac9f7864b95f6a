"""Fine-tuning: two epochs for the head alone, then the whole network with a smaller rate."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Tagger(nn.Module):
    def __init__(self, dim=16, tags=5):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, 32), nn.GELU())
        self.head = nn.Linear(32, tags)

    def forward(self, x):
        return self.head(self.backbone(x))


def freeze(module, frozen=True):
    for p in module.parameters():
        p.requires_grad_(not frozen)


def make_data(n=1200):
    g = torch.Generator().manual_seed(21)
    x = torch.randn(n, 16, generator=g)
    w = torch.randn(16, 5, generator=g)
    return TensorDataset(x, (x.tanh() @ w).argmax(1))


class FineTuner:
    def __init__(self, head_epochs=2):
        torch.manual_seed(2)
        model = Tagger()
        freeze(model.backbone)
        self.model = DDP(model)
        self.optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-2)
        self.head_epochs = head_epochs
        data = make_data()
        self.sampler = DistributedSampler(data)
        self.loader = DataLoader(data, batch_size=30, sampler=self.sampler)

    def begin_epoch(self, epoch):
        self.sampler.set_epoch(epoch)
        if epoch == self.head_epochs:
            backbone = self.model.module.backbone
            freeze(backbone, False)  # run: ranks-diverge
            self.optimizer.add_param_group({"params": list(backbone.parameters()), "lr": 2e-3})

    def fit(self, epochs=6):
        for epoch in range(epochs):
            self.begin_epoch(epoch)
            right = torch.zeros(())
            seen = torch.zeros(())
            for x, y in self.loader:
                logits = self.model(x)
                loss = nn.functional.cross_entropy(logits, y)
                self.optimizer.zero_grad()
                loss.backward()  # run: ranks-diverge
                self.optimizer.step()  # run: ranks-diverge
                right += (logits.argmax(1) == y).sum()
                seen += len(y)
            both = torch.stack([right, seen])
            dist.all_reduce(both)
            if dist.get_rank() == 0:
                print(f"epoch {epoch} accuracy {(both[0] / both[1]).item():.3f}", flush=True)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    tuner = FineTuner()
    tuner.fit()
    dist.barrier()
    dist.destroy_process_group()
