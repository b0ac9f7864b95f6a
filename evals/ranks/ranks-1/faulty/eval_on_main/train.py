import os

import torch
import torch.distributed as dist
from metrics import evaluate
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Trainer:
    def __init__(self, model, train_set, val_set):
        self.rank = int(os.environ["RANK"])
        self.model = DDP(model)
        self.sampler = DistributedSampler(train_set)
        self.loader = DataLoader(train_set, batch_size=16, sampler=self.sampler)
        self.val_loader = DataLoader(val_set, batch_size=32)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            self.model.train()
            for x, y in self.loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(x), y).backward()
                self.optimizer.step()
            if self.rank == 0:
                print(
                    f"epoch {epoch}: accuracy {evaluate(self.model, self.val_loader):.3f}"
                )  # run: collective-on-one-rank


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
    train = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
    val = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    Trainer(model, train, val).fit(4)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
