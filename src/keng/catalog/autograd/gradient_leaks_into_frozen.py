r"""A part that is not being trained gets gradients all the same.

What a second model is given by a first carries the first one's graph. `backward` of the second's loss goes on through
it: time and memory of a whole backward pass are spent, and the first model's `.grad` is filled with gradients of a loss
that it is not meant to follow, or, in a GAN, of the opposite one. Unless they are cleared before its own step, it
follows them.

Cure: `second(first(x).detach())`, or the first under `torch.no_grad()`.

Bad:

```python
import torch
from torch import nn

generator = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
critic = nn.Linear(8, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(3):
    fake = generator(torch.randn(16, 4))
    c_optimizer.zero_grad()
    c_loss = critic(fake).mean() - critic(torch.randn(16, 8)).mean()  # here: `generator`
    c_loss.backward()
    c_optimizer.step()
leaked = generator[0].weight.grad
for step in range(3):
    g_optimizer.zero_grad()
    g_loss = -critic(generator(torch.randn(16, 4))).mean()
    g_loss.backward()
    g_optimizer.step()
```

Proof:

```python
assert leaked is not None and leaked.abs().sum() > 0
```

Bad (the discriminator's step goes through the generator):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
generator, discriminator = nn.Linear(2, 4), nn.Linear(4, 1)
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.01)
optimizer_d = torch.optim.SGD(discriminator.parameters(), lr=0.01)
for step in range(6):
    optimizer_d.zero_grad()
    fake = discriminator(generator(torch.randn(8, 2)))  # seen: not detached
    F.softplus(fake).mean().backward()
    optimizer_d.step()
    optimizer_g.zero_grad()
    score = discriminator(generator(torch.randn(8, 2)))
    F.softplus(-score).mean().backward()
    optimizer_g.step()
```

Bad (features that nothing trains):

```python
import torch
from torch import nn

torch.manual_seed(0)
features, head = nn.Linear(2, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(6):
    optimizer.zero_grad()
    y = head(features(torch.randn(8, 2)))  # seen: `features`
    y.square().mean().backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn

generator = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
critic = nn.Linear(8, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(3):
    fake = generator(torch.randn(16, 4))
    c_optimizer.zero_grad()
    c_loss = critic(fake.detach()).mean() - critic(torch.randn(16, 8)).mean()
    c_loss.backward()
    c_optimizer.step()
    g_optimizer.zero_grad()
    (-critic(fake).mean()).backward()
    g_optimizer.step()
```

Fine (made without a graph; frozen; one output for both; an optimizer for both):

```python
import torch
from torch import nn

generator, critic = nn.Linear(4, 8), nn.Linear(8, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
both = torch.optim.Adam([*generator.parameters(), *critic.parameters()], lr=1e-3)
for step in range(2):
    with torch.no_grad():
        fake = generator(torch.randn(16, 4))
    c_optimizer.zero_grad()
    c_loss = critic(fake).mean()
    c_loss.backward()
    c_optimizer.step()
for step in range(2):
    fake = generator(torch.randn(16, 4))
    both.zero_grad()
    loss = critic(fake).mean()
    loss.backward()
    both.step()
for step in range(2):
    fake = generator(torch.randn(16, 4))
    score = critic(fake).mean()
    c_optimizer.zero_grad()
    g_optimizer.zero_grad()
    score.backward()
    c_optimizer.step()
    g_optimizer.step()
```

Fine (trained together, with two optimizers in either order; moved by hand):

```python
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(2, 4), nn.Linear(4, 1)
first = torch.optim.SGD(encoder.parameters(), lr=0.01)
second = torch.optim.SGD(decoder.parameters(), lr=0.01)
for order in ((first, second), (second, first)):
    for step in range(6):
        for optimizer in order:
            optimizer.zero_grad()
        decoder(encoder(torch.randn(8, 2))).square().mean().backward()
        for optimizer in order:
            optimizer.step()
for step in range(6):
    second.zero_grad()
    encoder.zero_grad()
    decoder(encoder(torch.randn(8, 2))).square().mean().backward()
    second.step()
    with torch.no_grad():
        for p in encoder.parameters():
            p -= 0.01 * p.grad
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.moments import LeakedGradients
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def backward_into_the_other(code: Code) -> Hits:
    for given, first, second in code.leaks_between_models():
        fix = Fix("Cut the graph", (code.append(given, ".detach()"),))
        says = f"the backward of `{second}` goes on through `{first}`, which does not step here"
        yield code.hit(given, says, fix=fix)


@pitfall.watches("gradients.leaked")
def gradients_that_nobody_used(seen: LeakedGradients) -> Hits:
    says = f"the backward for `{seen.trained}` goes on through `{seen.behind}`, whose gradients"
    yield seen.hit(f"{says} nobody uses: detach() what it is given", steps_in_a_row=seen.times)
