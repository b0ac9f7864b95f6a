r"""A latent is drawn by `sample()`, which no gradient goes back through.

`sample()` of a distribution draws under `no_grad`: what is computed from the sample teaches nothing to the network that gave the
distribution. In a variational autoencoder the encoder then learns from the KL term alone, forgets its input, and the decoder
reconstructs an average. `rsample()` draws the same numbers as a function of mean and scale (Kingma and Welling, 2013).

Cure: `rsample()`. For a distribution that has none, as Categorical, a loss by `log_prob` or `F.gumbel_softmax`.

Bad:

```python
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

encoder, decoder = nn.Linear(8, 4), nn.Linear(2, 8)
x = torch.randn(16, 8)
mean, log_scale = encoder(x).chunk(2, dim=1)
posterior = Normal(mean, log_scale.exp())
z = posterior.sample()  # here: the encoder hears nothing of the reconstruction
divergence = kl_divergence(posterior, Normal(torch.zeros(2), torch.ones(2))).sum()
reconstruction = (decoder(z) - x).square().sum()
loss = reconstruction + divergence
```

Proof:

```python
(gradient,) = torch.autograd.grad(reconstruction, encoder.weight, allow_unused=True)
assert gradient is None
```

Bad (in a module, of what an encoder gives):

```python
import torch
from torch import distributions as D
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 4)

    def forward(self, x):
        mean, scale = self.net(x).chunk(2, dim=1)
        return D.Normal(mean, scale.exp())


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), nn.Linear(2, 8)

    def losses(self, x):
        q = self.encoder(x)
        prior = D.Normal(torch.zeros_like(q.loc), torch.ones_like(q.scale))
        fit = (self.decoder(q.sample()) - x).square().sum()  # here: too
        return fit, D.kl_divergence(q, prior).sum()


model = Autoencoder()
fit, divergence = model.losses(torch.randn(16, 8))
```

Proof:

```python
(gradient,) = torch.autograd.grad(fit, model.encoder.net.weight, allow_unused=True)
assert gradient is None
```

Good:

```python
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

encoder, decoder = nn.Linear(8, 4), nn.Linear(2, 8)
x = torch.randn(16, 8)
mean, log_scale = encoder(x).chunk(2, dim=1)
posterior = Normal(mean, log_scale.exp())
z = posterior.rsample()
divergence = kl_divergence(posterior, Normal(torch.zeros(2), torch.ones(2))).sum()
loss = (decoder(z) - x).square().sum() + divergence
```

Fine (a policy, which learns by `log_prob`; a discrete latent; drawn to be looked at; the old policy):

```python
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
```

Sources: https://docs.pytorch.org/docs/stable/distributions.html#pathwise-derivative, https://arxiv.org/abs/1312.6114
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="warning")

DIVERGENCES = "torch.distributions.kl_divergence", "torch.distributions.kl.kl_divergence"


@pitfall.finds(fixes=True)
def drawn_without_a_gradient(code: Code) -> Hits:
    learned = [c.args[0] for c in code.calls_to(*DIVERGENCES) if c.args]
    for call in code.method_calls("sample"):
        drawn = code.receiver(call)
        if not isinstance(drawn, ast.Name) or code.grad_at(call) is not Grad.ON:
            continue
        if not any(isinstance(n, ast.Name) and code.same_value(n, drawn) for n in learned):
            continue
        if _is_discrete(code, drawn) or _weighs_by_probability(code, drawn):
            continue
        fix = Fix("Draw with `rsample()`", (code.rename_attribute(call.func, "rsample"),))
        says = f"no gradient goes back through `{drawn.id}.sample()`: `rsample()`"
        yield code.hit(call, says, fix=fix)


def _is_discrete(code: Code, drawn: ast.Name) -> bool:
    """Whether it is of a kind that has no `rsample`."""
    made = [
        code.resolve(b.value.func) for b in code.reaching(drawn) if isinstance(b.value, ast.Call)
    ]
    kinds = ("Categorical", "Bernoulli", "Binomial", "Multinomial", "Geometric", "Poisson")
    return any(name.endswith(kinds) for name in made)


def _weighs_by_probability(code: Code, drawn: ast.Name) -> bool:
    weighed = [code.receiver(c) for c in code.method_calls("log_prob")]
    return any(isinstance(n, ast.Name) and code.same_value(n, drawn) for n in weighed)
