# detached at the value; computed under `no_grad`; soft actor-critic; two backward passes with the critic cleared in between
import torch
from torch import nn
from torch.distributions import Normal
from torch.nn import functional as F

torch.manual_seed(0)
actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
states, returns = torch.randn(16, 4), torch.randn(16, 1)
dist = Normal(actor(states), 1.0)
action = dist.rsample()
log_prob = dist.log_prob(action.detach())
value = critic(states)
advantage = returns - value.detach()
loss = -(log_prob * advantage).mean() + F.mse_loss(value, returns)
with torch.no_grad():
    baseline = critic(states)
policy_loss = -(log_prob * (returns - baseline)).mean()
value_loss = F.mse_loss(critic(states), returns)
loss = loss + policy_loss + value_loss
alpha = torch.tensor(0.2)
entropy_loss = (alpha * dist.log_prob(action) - critic(states)).mean()
loss = loss + entropy_loss
critic_step = torch.optim.SGD(critic.parameters(), lr=0.1)
gain = returns - value
first = -(log_prob * gain).mean()
first.backward(retain_graph=True)
critic_step.zero_grad()
second = (returns - value).pow(2).mean()
second.backward(retain_graph=True)
critic_step.step()
