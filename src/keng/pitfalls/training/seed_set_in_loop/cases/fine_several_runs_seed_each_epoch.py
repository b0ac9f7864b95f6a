# several runs; a seed per epoch; the state is restored afterwards; a separate training in each round
import torch
from torch import nn

x = torch.randn(8, 4)


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        torch.manual_seed(epoch)
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
        with torch.random.fork_rng():
            torch.manual_seed(0)
            sample = model(torch.randn(2, 4))


for seed in (0, 1):
    torch.manual_seed(seed)
    train(nn.Linear(4, 1))
for lr in (0.1, 0.2):
    torch.manual_seed(0)
    train(nn.Linear(4, 1))


def fold(number):
    train(nn.Linear(4, 1))


for number in range(2):
    torch.manual_seed(0)
    fold(number)
