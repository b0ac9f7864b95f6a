import torch
import torch.nn as nn
from torch.distributions import Categorical


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, s):
        return Categorical(logits=self.net(s))


class A2C:
    def __init__(self):
        self.actor = Actor()
        self.critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), 1e-3)

    def update(self, states, actions, returns):
        values = self.critic(states).squeeze(-1)
        advantage = returns - values
        dist = self.actor(states)
        actor_loss = -(dist.log_prob(actions) * advantage).mean()
        critic_loss = advantage.pow(2).mean()

        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()

        self.critic_opt.zero_grad()
        critic_loss.backward()  # check: backward-twice
        self.critic_opt.step()


class SharedA2C(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 32)
        self.pi, self.v = nn.Linear(32, 2), nn.Linear(32, 1)

    def forward(self, s):
        h = torch.relu(self.body(s))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def train_shared(batches):
    net = SharedA2C()
    opt_pi = torch.optim.Adam(net.parameters(), 1e-3)
    opt_v = torch.optim.Adam(net.parameters(), 1e-3)
    for s, a, r in batches:
        dist, v = net(s)
        loss = ((r - v) ** 2).mean() - (dist.log_prob(a) * (r - v.detach())).mean()
        loss.backward()
        opt_pi.step()
        opt_v.step()  # check: optimizers-overlap; zero-grad-missing


batch = torch.randn(8, 4), torch.randint(0, 2, (8,)), torch.randn(8)
train_shared([batch] * 3)
A2C().update(*batch)
