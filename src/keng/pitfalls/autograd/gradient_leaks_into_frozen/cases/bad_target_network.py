# a target network
import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self):
        self.q, self.target = nn.Linear(4, 2), nn.Linear(4, 2)
        self.target.load_state_dict(self.q.state_dict())
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.01)

    def learn(self, state, action, reward, after):
        value = self.q(state).gather(1, action).squeeze(1)
        wanted = reward + 0.99 * self.target(after).max(1).values  # check: with its graph
        loss = F.smooth_l1_loss(value, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent()
for step in range(3):
    batch = torch.randn(8, 4), torch.randint(0, 2, (8, 1)), torch.rand(8), torch.randn(8, 4)
    agent.learn(*batch)
leaked = agent.target.weight.grad

# proof
assert leaked is not None and leaked.abs().sum() > 0
