# an object that holds the model evaluates it, and a function that is given the model trains it
import torch
from torch import nn


class Judge:
    def __init__(self, network):
        self.network = network

    def score(self, x):
        self.network.eval()
        with torch.no_grad():
            return self.network(x).square().mean().item()


def learn(network, optimizer, x):
    optimizer.zero_grad()
    loss = network(x).square().mean()  # check: from the second epoch on
    loss.backward()
    optimizer.step()
    return network.training


def main():
    network = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    judge, modes = Judge(network), []
    for epoch in range(3):
        for x in torch.randn(2, 8, 4):
            modes.append(learn(network, optimizer, x))
        judge.score(torch.randn(8, 4))
    return modes


modes = main()

# proof
assert modes[0] and not modes[-1]
