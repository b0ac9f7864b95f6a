# the second of two outputs
import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.policy, self.value = nn.Linear(4, 2), nn.Linear(4, 1)

    def forward(self, x):
        return self.policy(x), self.value(x)


torch.manual_seed(0)
agent = ActorCritic()
optimizer = torch.optim.SGD(agent.parameters(), lr=0.1)
for step in range(3):
    logits, value = agent(torch.randn(16, 4))
    advantage = torch.randn(16) - value  # run: `agent.value` gives (16, 1)
    loss = advantage.square().mean() - (logits.log_softmax(1)[:, 0] * advantage.detach()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
