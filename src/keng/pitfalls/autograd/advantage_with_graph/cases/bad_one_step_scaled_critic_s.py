# with one step, scaled, the critic's loss by the advantage itself
import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)
body, mean, value_head = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
obs, reward, next_obs = torch.randn(16, 4), torch.randn(16, 1), torch.randn(16, 4)
features = body(obs)
dist = Normal(mean(features), 1.0)
log_probs = dist.log_prob(dist.sample())
with torch.no_grad():
    target = reward + 0.99 * value_head(body(next_obs))
value = value_head(features)
delta = target - value
critic_loss = delta.square().mean()
advantage = (delta - delta.mean()) / (delta.std() + 1e-8)
actor_loss = -(log_probs * advantage).mean()  # check: as well
total = actor_loss + critic_loss

# proof
(gradient,) = torch.autograd.grad(actor_loss, value_head.weight)
assert gradient.abs().sum() > 0
