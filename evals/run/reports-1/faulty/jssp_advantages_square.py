"""PPO on vectors of features, after zcaicaros/L2D issue 5."""

import torch
from digest import show
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 32), nn.ReLU())
        self.actor = nn.Linear(32, 4)
        self.critic = nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return self.actor(h), self.critic(h)


torch.manual_seed(0)
model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
answer = torch.randn(6, 4)
for update in range(30):
    states = torch.randn(36, 6)
    with torch.no_grad():
        logits, _ = model(states)
        dist = Categorical(logits=logits)
        actions = dist.sample()
        old_log_probs = dist.log_prob(actions)
        rewards = (states @ answer).gather(1, actions[:, None]).squeeze(1)
    for _ in range(4):
        logits, vals = model(states)
        dist = Categorical(logits=logits)
        ratios = torch.exp(dist.log_prob(actions) - old_log_probs)
        advantages = rewards - vals.detach()  # run: target-size-mismatch or loss-broadcasts
        surr1 = ratios * advantages
        surr2 = torch.clamp(ratios, 0.8, 1.2) * advantages
        v_loss = nn.functional.mse_loss(vals.squeeze(1), rewards)
        p_loss = -torch.min(surr1, surr2).mean()
        loss = p_loss + 0.5 * v_loss - 0.01 * dist.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if update % 10 == 0:
        print(update, f"{rewards.mean().item():.3f} {v_loss.item():.3f}")
show(model)
