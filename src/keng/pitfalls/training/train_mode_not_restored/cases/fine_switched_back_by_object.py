# an object that holds the model switches it back to the mode in which it found it
import torch
from torch import nn


class Judge:
    def __init__(self, network):
        self.network = network

    def score(self, x):
        before = self.network.training
        self.network.eval()
        with torch.no_grad():
            score = self.network(x).square().mean().item()
        self.network.train(before)
        return score


def learn(network, optimizer, x):
    optimizer.zero_grad()
    network(x).square().mean().backward()
    optimizer.step()


network = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
judge = Judge(network)
for epoch in range(3):
    for x in torch.randn(2, 8, 4):
        learn(network, optimizer, x)
    judge.score(torch.randn(8, 4))
