r"""The divergence of a variational autoencoder is added with the wrong sign, or its variance misread.

The divergence of N(mu, exp(logvar)) from N(0, 1) is `-0.5 * sum(1 + logvar - mu**2 - exp(logvar))`, never negative. Without the
minus it is rewarded for growing: the loss falls without end, and mu and the variance run away. The standard deviation is the
root of the variance, `exp(0.5 * logvar)`: with `exp(logvar)` in its place the noise is not the one that the divergence weighs,
the decoder is trained on another distribution than the one it will be sampled from.

Cure: `loss = reconstruction - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())`, and `std = torch.exp(0.5 * logvar)`.

Bad:

```python
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.rand(16, 4)
mu = torch.zeros(16, 2, requires_grad=True)
logvar = torch.zeros(16, 2, requires_grad=True)
optimizer = torch.optim.Adam([mu, logvar], lr=0.1)
for _ in range(50):
    optimizer.zero_grad()
    z = mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)
    told = torch.sigmoid(torch.cat([z, -z], 1))
    reconstruction = F.binary_cross_entropy(told, x)
    kld = 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = reconstruction + kld  # here: `kld` has the opposite sign
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert loss < -100
```

Bad (subtracted as it is):

```python
import torch
import torch.nn.functional as F


def loss_function(told, x, mu, log_var, beta=1.0):
    recon = F.mse_loss(told, x, reduction="sum")
    kl = -0.5 * (1 + log_var - mu**2 - torch.exp(log_var)).sum(1).mean()
    return recon - beta * kl  # here: `beta * kl`
```

Proof:

```python
x, mu = torch.zeros(2, 3), torch.ones(2, 3)
near, far = (loss_function(x, x, n * mu, 0 * mu) for n in (1, 10))
assert far < near
```

Bad (the variance for the deviation):

```python
import torch


def divergence(mu, logvar):
    return -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())


def reparameterize(mu, logvar):
    std = torch.exp(logvar)  # here: the variance
    return mu + std * torch.randn_like(std)
```

Proof:

```python
torch.manual_seed(0)
z = reparameterize(torch.zeros(1000, 10), torch.full((1000, 10), 2.0))
assert z.var() > 2 * torch.tensor(2.0).exp()
```

Good:

```python
import torch
import torch.nn.functional as F


def loss_function(told, x, mu, logvar):
    reconstruction = F.binary_cross_entropy(told, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return reconstruction + kld


def reparameterize(mu, logvar):
    std = torch.exp(0.5 * logvar)
    return mu + std * torch.randn_like(std)


mu, logvar = torch.randn(4, 2), torch.randn(4, 2)
loss_function(torch.rand(4, 3), torch.rand(4, 3), mu, logvar)
reparameterize(mu, logvar)
```

Fine (subtracted without its minus; the opposite within; both turned round; a root later; the logarithm of a deviation; other sums):

```python
import torch
import torch.nn.functional as F

told, x = torch.rand(4, 3), torch.rand(4, 3)
mu, logvar, log_std = torch.randn(4, 2), torch.randn(4, 2), torch.randn(4, 2)
bce = F.binary_cross_entropy(told, x)
loss = bce - 0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())
kl = 0.5 * torch.sum(mu**2 + logvar.exp() - logvar - 1)
loss = bce + 0.1 * kl
elbo = -bce + 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
loss = -elbo
var = torch.exp(logvar)
std = torch.exp(logvar).sqrt()
std = torch.exp(log_std)
std = torch.exp(logvar / 2)
other = bce - torch.mean(logvar.exp())
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def rewarded_for_growing(code: Code) -> Hits:
    for term, loss in code.divergences_turned_round():
        says = f"`{code.text_of(term)}` has the opposite sign of a divergence beside `{loss}`"
        yield code.hit(term, f"{says}: it is rewarded for growing")


@pitfall.finds(fixes=True)
def variance_for_deviation(code: Code) -> Hits:
    for call, name, given in code.deviations_of_log_variances():
        says = f"`{name}` is the variance: the deviation is `exp(0.5 * {given})`"
        fix = Fix("Take the root of it", (code.append(call, ".sqrt()"),))
        yield code.hit(call, says, fix)
