"""The entropy bonus of the next state counts although the episode is over, after DLR-RM/stable-baselines3 issue 76."""

import copy

import torch
from digest import show
from torch import nn

torch.manual_seed(12)
GAMMA, TAU, ENT_COEF = 0.95, 0.02, 0.3


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, outputs))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(3, 2)

    def action_log_prob(self, obs):
        mean, log_std = self.net(obs).chunk(2, -1)
        normal = torch.distributions.Normal(mean, log_std.clamp(-4, 1).exp())
        raw = normal.rsample()
        action = raw.tanh()
        return action, (normal.log_prob(raw) - (1 - action.square() + 1e-6).log()).squeeze(-1)


actor, critic1, critic2 = Actor(), mlp(4, 1), mlp(4, 1)
target1, target2 = copy.deepcopy(critic1).requires_grad_(False), copy.deepcopy(critic2).requires_grad_(False)
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_opt = torch.optim.Adam([*critic1.parameters(), *critic2.parameters()], lr=1e-3)
obs = torch.randn(400, 3)
actions = torch.rand(400, 1) * 2 - 1
next_obs = obs + 0.1 * actions
rewards = -next_obs.square().sum(1)
dones = (torch.rand(400) < 0.2).float()

for step in range(60):
    i = torch.randint(400, (64,))
    with torch.no_grad():
        next_actions, next_log_prob = actor.action_log_prob(next_obs[i])
        pair = torch.cat([next_obs[i], next_actions], 1)
        target_q = torch.min(target1(pair), target2(pair)).squeeze(-1)
        target_q = rewards[i] + (1 - dones[i]) * GAMMA * target_q
        q_backup = target_q - ENT_COEF * next_log_prob  # run: -
    pair = torch.cat([obs[i], actions[i]], 1)
    q1, q2 = critic1(pair).squeeze(-1), critic2(pair).squeeze(-1)
    critic_loss = nn.functional.mse_loss(q1, q_backup) + nn.functional.mse_loss(q2, q_backup)
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    pi, log_prob = actor.action_log_prob(obs[i])
    pair = torch.cat([obs[i], pi], 1)
    actor_loss = (ENT_COEF * log_prob - torch.min(critic1(pair), critic2(pair)).squeeze(-1)).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    with torch.no_grad():
        for critic, target in ((critic1, target1), (critic2, target2)):
            for p, q in zip(critic.parameters(), target.parameters(), strict=True):
                q.lerp_(p, TAU)
    if step % 20 == 0:
        print(step, critic_loss.item(), actor_loss.item())
show(actor, critic1, critic2)
