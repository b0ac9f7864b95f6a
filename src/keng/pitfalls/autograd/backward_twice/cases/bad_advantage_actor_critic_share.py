# an advantage that an actor and its critic share
import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
states, actions, returns = torch.randn(8, 4), torch.randint(2, (8,)), torch.randn(8)
values = critic(states).squeeze(-1)
advantage = returns - values
policy = torch.distributions.Categorical(logits=actor(states))
actor_loss = -(policy.log_prob(actions) * advantage).mean()
critic_loss = advantage.pow(2).mean()
actor_optimizer.zero_grad()
actor_loss.backward()
actor_optimizer.step()
critic_optimizer.zero_grad()
critic_loss.backward()  # check: the critic's graph was freed by the actor's
critic_optimizer.step()
