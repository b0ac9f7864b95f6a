# a target network, in a class
import copy

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.online = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.online.parameters())

    def load(self, state):
        self.online.load_state_dict(state)  # run: mixes them into the average

    def train(self):
        x = torch.randn(8, 4)
        self.optimizer.zero_grad()
        (self.online(x) - self.target(x)).square().mean().backward()
        self.optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.online.parameters()):
                slow.lerp_(fast, 0.005)


torch.manual_seed(0)
agent = Agent()
agent.load(Agent().online.state_dict())
for _ in range(5):
    agent.train()
