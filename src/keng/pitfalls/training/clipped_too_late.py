r"""Gradients are clipped after the step that used them.

`clip_grad_norm_` changes `.grad` where it stands. After `optimizer.step()` the gradients have done their
work, and the next `zero_grad` throws the clipped ones away: the training runs as if nothing was clipped.
The same holds before `backward()`, where those of the round are not yet there.

Cure: backward, clip, step.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 0.1)  # here: the step is over
```

Bad (before there are any):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = model(torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(model.parameters(), 0.001)  # here: they were just cleared
    loss.backward()
    optimizer.step()
norm = sum(p.grad.square().sum() for p in model.parameters()).sqrt()
```

Proof:

```python
assert norm > 0.001
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
```

Fine (the norm alone is wanted; two optimizers, each clipped before its step):

```python
import torch
from torch import nn

torch.manual_seed(0)
one, other = nn.Linear(4, 4), nn.Linear(4, 1)
optimizers = [torch.optim.SGD(part.parameters(), lr=0.1) for part in (one, other)]
for step in range(3):
    for optimizer in optimizers:
        optimizer.zero_grad()
    other(one(torch.randn(8, 4))).square().mean().backward()
    for part, optimizer in zip((one, other), optimizers):
        nn.utils.clip_grad_norm_(part.parameters(), 0.1)
        optimizer.step()
    norm = nn.utils.clip_grad_norm_(one.parameters(), float("inf"))
```

Fine (gradients that add up over rounds are clipped before the step that comes with some of them):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    (model(torch.randn(8, 4)).square().mean() / 2).backward()
    if step % 2:
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
        optimizer.zero_grad()
```

Fine (within a step whose closure makes no gradients anew, as a pass that is for statistics alone):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def closure(learns):
    loss = model(torch.randn(8, 4)).square().mean()
    if learns:
        optimizer.zero_grad()
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    return loss


for step in range(4):
    optimizer.step(lambda: closure(step < 3))
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import ClippedGradients
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def clipped_between_rounds(code: Code) -> Hits:
    for call, cleared in code.clipped_between_rounds():
        gone = "were just cleared" if cleared else "the step has already used"
        yield code.hit(call, f"clips gradients that {gone}")


@pitfall.watches("gradients.clipped")
def clipped_after_the_step(clip: ClippedGradients) -> Hits:
    if clip.spent and clip.max_norm < float("inf"):
        yield clip.hit(f"clips to {clip.max_norm:g} what the step has already used")
