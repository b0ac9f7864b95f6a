# a reference that must not change; a target that is loaded rarely; one that is created again; a teacher with other weights
import copy

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.q = nn.Linear(4, 2)
        self.target = copy.deepcopy(self.q)
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.1)

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())

    def learn(self, step):
        x = torch.randn(8, 4)
        with torch.no_grad():
            goal = self.target(x)
        self.optimizer.zero_grad()
        (self.q(x) - goal - 1).square().mean().backward()
        self.optimizer.step()
        if step % 1000 == 999:
            self.sync()


torch.manual_seed(0)
policy, target_teacher = nn.Linear(4, 2), nn.Linear(4, 2)
reference = copy.deepcopy(policy).requires_grad_(False)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
agent = Agent()
for weight in reference.parameters():
    weight = weight.detach()
for step in range(40):
    x = torch.randn(8, 4)
    with torch.no_grad():
        near, far = reference(x), target_teacher(x)
    out = policy(x)
    optimizer.zero_grad()
    ((out - near).square().mean() + (out - far).square().mean()).backward()
    optimizer.step()
    agent.learn(step)
optimizer.load_state_dict(optimizer.state_dict())
