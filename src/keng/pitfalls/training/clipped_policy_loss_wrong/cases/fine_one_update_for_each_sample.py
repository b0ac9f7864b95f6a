# one update per sample with `new - new.detach()`; a maximum of negated terms; a clipped value loss; masked tokens
import torch
from torch import nn

torch.manual_seed(0)
policy, critic = nn.Linear(4, 3), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*policy.parameters(), *critic.parameters()], lr=0.01)


def log_probs(states, actions):
    return policy(states).log_softmax(-1).gather(1, actions).squeeze(1)


def step(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for rollout in range(3):
    states, actions, returns = torch.randn(32, 4), torch.randint(3, (32, 1)), torch.randn(32)
    with torch.no_grad():
        old, values = log_probs(states, actions), critic(states).squeeze(1)
    for _ in range(3):
        for rows in torch.randperm(32).split(8):
            advantages = returns[rows] - values[rows]
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            ratio = (log_probs(states[rows], actions[rows]) - old[rows]).exp()
            policy_loss = torch.max(-advantages * ratio, -advantages * ratio.clamp(0.8, 1.2)).mean()
            value = critic(states[rows]).squeeze(1)
            near = values[rows] + (value - values[rows]).clamp(-0.2, 0.2)
            value_loss = torch.max((value - returns[rows]) ** 2, (near - returns[rows]) ** 2).mean()
            step(policy_loss + 0.5 * value_loss)
for rollout in range(20):
    states, actions, advantages = torch.randn(32, 4), torch.randint(3, (32, 1)), torch.randn(32)
    mask = (torch.rand(32) < 0.8).float()
    new = log_probs(states, actions)
    ratio = (new - new.detach()).exp()
    loss = -torch.min(ratio * advantages, ratio.clamp(0.8, 1.28) * advantages)
    step((loss * mask).sum() / mask.sum())
