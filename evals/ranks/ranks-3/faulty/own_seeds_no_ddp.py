import torch
import torch.distributed as dist
from torch import nn


def average_gradients(model):
    size = float(dist.get_world_size())
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad, op=dist.ReduceOp.SUM)  # run: ranks-diverge or averaging-by-hand-incomplete
        parameter.grad /= size


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(20, 30)
        self.fc2 = nn.Linear(30, 5)

    def forward(self, x):
        return nn.functional.log_softmax(self.fc2(torch.relu(self.fc1(x))), dim=1)


def run(rank):
    torch.manual_seed(1234 + rank)
    model = Net()  # run: ranks-diverge or averaging-by-hand-incomplete
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    for step in range(60):
        x, y = torch.randn(16, 20), torch.randint(0, 5, (16,))
        optimizer.zero_grad()
        loss = nn.functional.nll_loss(model(x), y)
        loss.backward()
        average_gradients(model)  # run: ranks-diverge or averaging-by-hand-incomplete
        optimizer.step()  # run: ranks-diverge or averaging-by-hand-incomplete
    print("rank", rank, "loss", loss.item())


if __name__ == "__main__":
    dist.init_process_group("gloo")
    run(dist.get_rank())
    dist.destroy_process_group()
