import torch
import torch.distributed as dist
from torch import nn, optim


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.head = nn.Linear(4 * 6 * 6, 10)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x)).flatten(1))


def average_gradients(model):
    size = float(dist.get_world_size())
    for param in model.parameters():
        dist.all_reduce(param.grad, op=dist.ReduceOp.SUM)
        param.grad /= size


def run(rank, size):
    torch.manual_seed(1234 + rank)
    model = ConvNet()  # run: models-differ-between-ranks or ranks-diverge or averaging-by-hand-incomplete
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    for step in range(60):
        x, y = torch.randn(8, 1, 8, 8), torch.randint(0, 10, (8,))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        average_gradients(model)
        optimizer.step()  # run: models-differ-between-ranks or ranks-diverge or averaging-by-hand-incomplete
    print(f"rank {rank}: {loss.item():.3f}")


if __name__ == "__main__":
    dist.init_process_group("gloo")
    run(dist.get_rank(), dist.get_world_size())
    dist.destroy_process_group()
