import torch
from torch import nn, optim
from torch.distributions import Categorical


class PolicyValue(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(4, 64)
        self.pi = nn.Linear(64, 2)
        self.value = nn.Linear(64, 1)
        self.saved, self.rewards = [], []

    def forward(self, s):
        h = torch.relu(self.affine(s))
        return torch.softmax(self.pi(h), dim=-1), self.value(h)


model = PolicyValue()
optimizer = optim.Adam(model.parameters(), lr=1e-2)
eps = 1e-8


def select(state):
    probs, value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved.append((m.log_prob(action), value.squeeze(-1)))
    return action.item()


def finish(gamma=0.99):
    R, returns = 0.0, []
    for r in reversed(model.rewards):
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(model.saved, returns):
        policy_losses.append(-log_prob * (R - value.item()))
        value_losses.append(nn.functional.smooth_l1_loss(value, R))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved[:]


for episode in range(5):
    state = torch.randn(4)
    for t in range(20):
        a = select(state)
        model.rewards.append(float(a) - 0.5)
        state = torch.randn(4)
    finish()
