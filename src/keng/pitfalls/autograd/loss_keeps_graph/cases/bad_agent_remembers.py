# an agent that remembers
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.losses = []

    def learn(self, states):
        loss = self.net(states).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)  # check: each keeps its graph


agent = Agent()
for step in range(40):
    agent.learn(torch.randn(16, 4))
