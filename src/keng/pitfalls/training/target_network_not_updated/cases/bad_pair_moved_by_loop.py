# a loop moves the target towards the network, and both are one
import torch
from torch import nn


class Agent:
    def __init__(self, actor):
        self.actor, self.actor_target = actor, actor
        self.optimizer = torch.optim.SGD(self.actor.parameters(), lr=0.1)

    def learn(self, x):
        with torch.no_grad():
            goal = self.actor_target(x)
        self.optimizer.zero_grad()
        (self.actor(x) - goal - 1).square().mean().backward()
        self.optimizer.step()
        for t, p in zip(self.actor_target.parameters(), self.actor.parameters()):  # check: one and the same
            t.data.copy_(0.9 * t.data + 0.1 * p.data)


agent = Agent(nn.Linear(2, 2))
for step in range(4):
    agent.learn(torch.randn(4, 2))

# proof
assert agent.actor_target is agent.actor
