"""Returns of shape (T,) meet values of shape (T, 1) in an advantage."""

import torch
from digest import show
from torch import nn
from torch.distributions import Categorical


class Balance:
    """A point that is to be kept near zero."""

    def reset(self):
        self.at = torch.randn(2) * 0.2
        self.left = 40
        return self.at.clone()

    def step(self, action):
        push = 0.1 if action else -0.1
        self.at = torch.stack([self.at[0] + 0.2 * self.at[1], self.at[1] + push])
        self.left -= 1
        done = self.left == 0 or bool(self.at[0].abs() > 2)
        return self.at.clone(), 1.0 - float(self.at[0].abs()), done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 32), nn.Tanh())
        self.policy, self.value = nn.Linear(32, 2), nn.Linear(32, 1)

    def forward(self, state):
        hidden = self.body(state)
        return Categorical(logits=self.policy(hidden)), self.value(hidden)


def discounted(rewards, gamma=0.97):
    total, returns = 0.0, []
    for reward in reversed(rewards):
        total = reward + gamma * total
        returns.insert(0, total)
    return torch.tensor(returns)


torch.manual_seed(0)
world, agent = Balance(), ActorCritic()
optimizer = torch.optim.RMSprop(agent.parameters(), 2e-3)
for episode in range(40):
    state, done, states, actions, rewards = world.reset(), False, [], [], []
    while not done:
        with torch.no_grad():
            action = agent(state)[0].sample()
        states.append(state)
        actions.append(action)
        state, reward, done = world.step(action.item())
        rewards.append(reward)
    policy, value = agent(torch.stack(states))
    advantage = discounted(rewards) - value  # run: loss-broadcasts
    chosen = policy.log_prob(torch.stack(actions))
    actor = -(chosen * advantage.detach()).mean()  # run: loss-broadcasts
    critic = advantage.pow(2).mean()  # run: loss-broadcasts
    loss = actor + 0.5 * critic - 0.01 * policy.entropy().mean()
    optimizer.zero_grad()
    loss.backward()  # run: loss-broadcasts
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()
print(f"{loss.item():.4f}")
show(agent)
