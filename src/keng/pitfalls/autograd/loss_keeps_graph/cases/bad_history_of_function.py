# a function writes the loss to a history that it is given
import torch
from torch import nn


def note(history, value):
    history.append(value)  # check: `history` keeps the graph  # run: each has its graph


def learn(net, optimizer, history, x):
    loss = net(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    note(history, loss)


def main():
    net, history = nn.Linear(8, 1), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for step in range(40):
        learn(net, optimizer, history, torch.randn(16, 8))
    return history


history = main()

# proof
assert all(loss.grad_fn is not None for loss in history)
