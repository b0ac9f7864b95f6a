import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 24), nn.ReLU())
        self.head = nn.Linear(24, classes)

    def forward(self, x):
        return self.head(self.body(x))


def build():
    torch.manual_seed(0)
    model = DDP(Net(classes=1000))
    model.module.head = nn.Linear(24, 4)  # run: models-differ-between-ranks or ranks-diverge
    return model


def main():
    dist.init_process_group("gloo")
    model = build()
    torch.manual_seed(50 + dist.get_rank())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(80):
        x, y = torch.randn(12, 6), torch.randint(0, 4, (12,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()  # run: models-differ-between-ranks or ranks-diverge
    dist.destroy_process_group()


main()
