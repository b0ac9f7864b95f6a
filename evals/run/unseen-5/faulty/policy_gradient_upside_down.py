"""REINFORCE on a small bandit of contexts, with the sign of its loss lost."""

import torch
from digest import show
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 32)
        self.fc2 = nn.Linear(32, 3)
        self.saved_log_probs, self.rewards = [], []

    def forward(self, s):
        return torch.softmax(self.fc2(torch.relu(self.fc1(s))), dim=-1)


def select_action(policy, state):
    m = Categorical(policy(state))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action


def finish_episode(policy, optimizer):
    value, returns = 0.0, []
    for r in policy.rewards[::-1]:
        value = r + 0.9 * value
        returns.insert(0, value)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    policy_loss = torch.stack(
        [log_prob * value for log_prob, value in zip(policy.saved_log_probs, returns)]  # run: -
    ).sum()
    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()
    policy.saved_log_probs.clear()
    policy.rewards.clear()


torch.manual_seed(0)
policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
total = 0.0
for episode in range(1, 81):
    for _ in range(20):
        state = torch.randn(4)
        action = select_action(policy, state)
        policy.rewards.append(float(state[action.item()] > 0))
    total = 0.9 * total + 0.1 * sum(policy.rewards)
    finish_episode(policy, optimizer)
    if episode % 20 == 0:
        print(episode, f"{total:.2f}")
show(policy)
