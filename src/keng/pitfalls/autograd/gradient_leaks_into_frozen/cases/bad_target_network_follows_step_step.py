# a target network that follows step by step
import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self):
        self.local, self.target = nn.Linear(4, 2), nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.local.parameters(), lr=0.01)

    def learn(self, state, reward, after):
        best = self.target(after).max(1)[0]  # check: `self.target`
        wanted = reward + 0.9 * best
        loss = F.mse_loss(self.local(state).max(1)[0], wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.follow(self.local, self.target)

    def follow(self, model, slow):
        for theirs, own in zip(slow.parameters(), model.parameters()):
            theirs.data.copy_(0.01 * own.data + 0.99 * theirs.data)


agent = Agent()
for step in range(3):
    agent.learn(torch.randn(8, 4), torch.randn(8), torch.randn(8, 4))

# proof
assert agent.target.weight.grad is not None
