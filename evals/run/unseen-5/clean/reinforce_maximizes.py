"""REINFORCE whose optimizer maximizes, and PPO's bound beside it, with signs that are right."""

import torch
from digest import show
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 3))
baseline = nn.Linear(4, 1)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2, maximize=True)
baseline_optimizer = torch.optim.SGD(baseline.parameters(), lr=0.05)


def play(n=64):
    state = torch.randn(n, 4)
    dist = Categorical(logits=policy(state))
    action = dist.sample()
    return state, dist, action, (state.gather(1, action[:, None])[:, 0] > 0).float()


for episode in range(60):
    state, dist, action, reward = play()
    value = baseline(state).squeeze(1)
    objective = (
        dist.log_prob(action) * (reward - value.detach())
    ).mean() + 0.01 * dist.entropy().mean()
    optimizer.zero_grad()
    objective.backward()
    optimizer.step()
    baseline_optimizer.zero_grad()
    nn.functional.mse_loss(value, reward).backward()
    baseline_optimizer.step()
    if episode % 20 == 0:
        print(episode, f"{reward.mean().item():.3f}")

ppo = torch.optim.Adam(policy.parameters(), lr=3e-3)
for round_ in range(8):
    with torch.no_grad():
        state, dist, action, reward = play(128)
        old, advantage = dist.log_prob(action), reward - reward.mean()
    for _ in range(4):
        for idx in torch.randperm(128).split(32):
            ratio = (Categorical(logits=policy(state[idx])).log_prob(action[idx]) - old[idx]).exp()
            bounded = ratio.clamp(0.8, 1.2)
            loss = -torch.min(ratio * advantage[idx], bounded * advantage[idx]).mean()
            ppo.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            ppo.step()
print(f"{reward.mean().item():.3f}")
show(policy, baseline)
