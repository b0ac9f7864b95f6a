import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Trainer:
    def __init__(self, rank):
        self.rank = rank
        net = nn.Sequential(
            nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 3)
        )
        self.model = DDP(net)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9)
        data = TensorDataset(torch.randn(128, 1, 8, 8), torch.randint(0, 3, (128,)))
        self.sampler = DistributedSampler(data)
        self.train_loader = DataLoader(data, batch_size=16, sampler=self.sampler)
        self.val_loader = DataLoader(data, batch_size=32)

    def epoch(self):
        self.model.train()
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        right = 0
        for x, y in self.val_loader:
            right += (self.model(x).argmax(1) == y).sum().item()  # run: collective-on-one-rank or collectives-differ
        return right / 128

    def fit(self, epochs):
        for number in range(epochs):
            self.sampler.set_epoch(number)
            self.epoch()
            if self.rank == 0:
                print(f"epoch {number}: accuracy {self.validate():.2f}")  # run: collective-on-one-rank or collectives-differ


if __name__ == "__main__":
    dist.init_process_group("gloo")
    torch.manual_seed(1)
    Trainer(dist.get_rank()).fit(3)
    dist.destroy_process_group()
