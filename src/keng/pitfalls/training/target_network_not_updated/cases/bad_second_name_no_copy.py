# a second name, and no copy
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.q = nn.Linear(4, 2)
        self.goal = self.q
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.1)

    def learn(self):
        state, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16)
        with torch.no_grad():
            wanted = reward + 0.9 * self.goal(after).max(1).values
        loss = (self.q(state).max(1).values - wanted).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


torch.manual_seed(0)
agent = Agent()
for step in range(20):
    agent.learn()
    if step % 5 == 4:
        agent.goal.load_state_dict(agent.q.state_dict())  # check: `agent.q` are one and the same  # run: both are one

# proof
assert agent.goal is agent.q
