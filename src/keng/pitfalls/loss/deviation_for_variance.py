r"""A standard deviation is given for a variance, or the other way round.

`GaussianNLLLoss` and `gaussian_nll_loss` take the variance, `torch.distributions.Normal` takes the standard deviation. Both are
positive numbers of the same shape, so that nothing is refused. What the network learns under the name of `sigma` is then the
variance: intervals of `2 * sigma` have the wrong width, too narrow where the noise is small.

Cure: `criterion(mu, y, sigma ** 2)`, and `Normal(mu, var.sqrt())`.

Source: PyTorch 2.13, the notes on `var` of GaussianNLLLoss and on `scale` of Normal.

Bad:

```python
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.raw = nn.Linear(1, 1), nn.Linear(1, 1)

    def forward(self, x):
        sigma = F.softplus(self.raw(x)) + 1e-3
        return self.mu(x), sigma


torch.manual_seed(0)
net, criterion = Net(), nn.GaussianNLLLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
for _ in range(400):
    x = torch.rand(256, 1)
    y = x + 0.1 * torch.randn(256, 1)
    mu, sigma = net(x)
    loss = criterion(mu, y, sigma)  # here: it is taken for the variance
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert sigma.mean() < 0.05  # the noise is 0.1
```

Bad (by the logarithm of the variance; a variance for a deviation):

```python
import torch
from torch.distributions import Normal
from torch.nn import functional as F


def likelihood(mu, logvar, y):
    spread = torch.exp(0.5 * logvar)
    return F.gaussian_nll_loss(mu, y, spread)  # here: a deviation


mu, logvar, y = torch.zeros(3), torch.full((3,), 4.0), torch.ones(3)
loss = likelihood(mu, logvar, y)
prior = Normal(mu, logvar.exp())  # here: a variance
std = logvar.mul(0.5).exp()
wide = Normal(mu, std**2)  # here: as well
```

Proof:

```python
assert torch.allclose(loss, F.gaussian_nll_loss(mu, y, torch.full((3,), 2.0).exp()))
assert torch.allclose(prior.variance, (2 * logvar).exp())
```

Good:

```python
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.raw = nn.Linear(1, 1), nn.Linear(1, 1)

    def forward(self, x):
        sigma = F.softplus(self.raw(x)) + 1e-3
        return self.mu(x), sigma


net, criterion = Net(), nn.GaussianNLLLoss()
mu, sigma = net(torch.rand(256, 1))
loss = criterion(mu, torch.rand(256, 1), sigma**2)
```

Fine (variances under other names; squares; roots; logarithms of either; what a function returns under another name):

```python
import torch
from torch import nn
from torch.distributions import Normal
from torch.nn import functional as F

criterion = nn.GaussianNLLLoss()
mu, y, logvar, log_std = torch.zeros(3), torch.ones(3), torch.zeros(3), torch.zeros(3)
sigma = logvar.exp()
criterion(mu, y, sigma)
sigma_sq = F.softplus(logvar)
criterion(mu, y, sigma_sq)
std = F.softplus(logvar) + 1e-6
criterion(mu, y, std * std)
criterion(mu, y, std.square().clamp(min=1e-6))
criterion(mu, y, torch.exp(2 * log_std))
var = F.softplus(logvar)
Normal(mu, var.sqrt())
Normal(mu, torch.exp(0.5 * logvar))
Normal(mu, torch.exp(logvar / 2))
Normal(mu, log_std.exp())
Normal(mu, var**0.5)


def moments(x):
    variance = F.softplus(x)
    return x, variance


mu, sigma = moments(y)
criterion(mu, y, sigma)
scale = F.softplus(y)
Normal(mu, scale)
criterion(mu, y, scale)
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def taken_for_the_other(code: Code) -> Hits:
    for given, call, power, sure in code.spreads_mistaken():
        text, taker = code.text_of(given), code.text_of(call.func)
        if power == 1:
            says = f"`{text}` is a standard deviation, and `{taker}` takes the variance: its square"
            fix = Fix("Give the variance", (code.append(given, ".square()"),))
        else:
            says = f"`{text}` is a variance, and `{taker}` takes the standard deviation: its root"
            fix = Fix("Give the standard deviation", (code.append(given, ".sqrt()"),))
        yield code.hit(given, says, fix, sure=sure)
