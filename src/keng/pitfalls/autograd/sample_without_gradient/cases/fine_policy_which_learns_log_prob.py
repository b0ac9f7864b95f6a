# a policy that learns with `log_prob`; a discrete latent; a sample for display; the old policy
import torch
from torch import nn
from torch.distributions import Categorical, Normal, kl_divergence

actor, critic = nn.Linear(4, 2), nn.Linear(6, 1)
before, x = nn.Linear(4, 2), torch.randn(8, 4)


def losses(x):
    old, policy = Normal(before(x).detach(), 1.0), Normal(actor(x), 1.0)
    action = policy.sample()
    gain = critic(torch.cat([x, action], dim=1)).detach()
    return (
        -(policy.log_prob(action).sum(1, keepdim=True) * gain).mean()
        + kl_divergence(policy, old).mean()
    )


def near(x):
    old, policy = Normal(before(x).detach(), 1.0), Normal(actor(x), 1.0)
    return kl_divergence(old, policy).mean(), critic(torch.cat([x, policy.sample()], dim=1))


def discrete(x):
    q = Categorical(logits=actor(x))
    code = q.sample()
    return code, kl_divergence(q, Categorical(logits=torch.zeros(2))).mean()


@torch.no_grad()
def shown(x):
    q = Normal(actor(x), 1.0)
    return q.sample(), kl_divergence(q, Normal(0.0, 1.0)).mean()


values = losses(x), near(x), discrete(x), shown(x)
