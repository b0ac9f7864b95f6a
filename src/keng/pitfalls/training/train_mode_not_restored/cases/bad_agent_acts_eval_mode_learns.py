# an agent that acts in eval mode, and learns
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 2))
        self.slow = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def act(self, state):
        self.net.eval()
        with torch.no_grad():
            return self.net(state).argmax().item()

    def step(self, states):
        with torch.no_grad():
            wanted = self.slow(states)
        loss = (self.net(states) - wanted).square().mean()  # check: since the first act
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent()
for turn in range(4):
    agent.act(torch.randn(4))
    agent.step(torch.randn(8, 4))

# proof
assert not agent.net.training
