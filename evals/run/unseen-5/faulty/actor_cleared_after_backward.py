"""Two optimizers for actor and critic; the actor's gradients are cleared on the wrong line."""

from itertools import pairwise

import torch
from digest import show
from torch import nn
from torch.distributions import Normal


def mlp(*sizes):
    layers = []
    for a, b in pairwise(sizes):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


class Agent:
    def __init__(self):
        self.actor = mlp(3, 32, 1)
        self.critic = mlp(3, 32, 1)
        self.log_std = nn.Parameter(torch.zeros(1))
        self.actor_opt = torch.optim.Adam([*self.actor.parameters(), self.log_std], lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=3e-3)

    def act(self, obs):
        dist = Normal(self.actor(obs), self.log_std.exp())
        action = dist.sample()
        return action, dist.log_prob(action)

    def learn(self, obs, log_prob, reward):
        value = self.critic(obs)
        advantage = (reward - value).detach()

        self.critic_opt.zero_grad()
        critic_loss = nn.functional.mse_loss(value, reward)
        critic_loss.backward()
        self.critic_opt.step()

        actor_loss = -(log_prob * advantage).mean()
        actor_loss.backward()
        self.actor_opt.zero_grad()  # run: gradients-cleared-early
        self.actor_opt.step()  # run: gradients-cleared-early
        return critic_loss.item()


torch.manual_seed(0)
agent = Agent()
for it in range(100):
    obs = torch.randn(64, 3)
    action, log_prob = agent.act(obs)
    reward = -((action - obs.sum(1, keepdim=True)) ** 2)
    loss = agent.learn(obs, log_prob, reward)
    if it % 25 == 0:
        print(it, f"{reward.mean().item():.3f} {loss:.3f}")
show(agent.actor, agent.critic)
