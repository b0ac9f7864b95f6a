"""An actor-critic whose bootstrapped target is part of the graph, after seungeunrho/minimalRL pull 41."""

import torch
from digest import show
from torch import nn

torch.manual_seed(8)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.ReLU())
        self.pi, self.v = nn.Linear(32, 2), nn.Linear(32, 1)

    def value(self, s):
        return self.v(self.body(s))

    def policy(self, s):
        return self.pi(self.body(s)).log_softmax(-1)


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
world = torch.randn(4, 4) * 0.4
for update in range(150):
    s = torch.randn(64, 4)
    with torch.no_grad():
        a = torch.multinomial(model.policy(s).exp(), 1)
    n = s @ world + (a.float() - 0.5)
    r = -n.square().mean(1, keepdim=True)
    end = (torch.rand(64, 1) < 0.1).float()
    target = r + 0.98 * model.value(n) * (1 - end)  # run: target-requires-grad
    delta = target - model.value(s)
    actor = -(model.policy(s).gather(1, a) * delta.detach()).mean()
    critic = nn.functional.smooth_l1_loss(model.value(s), target)  # run: target-requires-grad
    optimizer.zero_grad()
    (actor + critic).backward()
    optimizer.step()
    if update % 50 == 49:
        print(update, f"{critic.item():.4f}")
show(model)
