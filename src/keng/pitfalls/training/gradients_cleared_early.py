r"""Gradients are cleared between the backward and the step.

`zero_grad()` sets each gradient to None, and `step()` skips parameters without one. Called after `backward()` and before
`step()`, it leaves nothing to step on: no weight ever moves, and no error tells. It happens where lines are moved about, and
where several optimizers take turns and one turn begins by clearing what the other is about to use. Where several backwards come
before one step, of tasks or of parts of a batch, and each begins by clearing, only the last of them counts.

Cure: clear before the first backward, or after the step.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
before = model.weight.detach().clone()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.zero_grad()  # here: the step finds nothing
    optimizer.step()
```

Proof:

```python
assert torch.equal(model.weight, before)
```

Bad (a critic's turn begins with clearing all):

```python
import torch
from torch import nn

torch.manual_seed(0)
maker, critic = nn.Linear(4, 4), nn.Linear(4, 1)
before = maker.weight.detach().clone()
of_maker = torch.optim.SGD(maker.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
for step in range(4):
    fake = maker(torch.randn(8, 4))
    (-critic(fake)).mean().backward()
    for optimizer in (of_maker, of_critic):
        optimizer.zero_grad()  # seen: the maker's gradients are gone
    (critic(fake.detach()).mean() - critic(torch.randn(8, 4)).mean()).backward()
    of_critic.step()
    of_maker.step()
```

Proof:

```python
assert torch.equal(maker.weight, before)
```

Bad (each task clears what the one before has taught):

```python
import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
heads = nn.ModuleDict({"first": nn.Linear(8, 1), "second": nn.Linear(8, 2)})
before = heads["first"].weight.detach().clone()
optimizer = torch.optim.SGD([*body.parameters(), *heads.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 4)
    for name, head in heads.items():
        optimizer.zero_grad()  # seen: only the last backward counts
        head(body(x)).square().mean().backward()
    optimizer.step()
```

Proof:

```python
assert torch.equal(heads["first"].weight, before)
```

Bad (each part of a batch clears what the others have taught):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1, bias=False)
before = model.weight.detach().clone()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
parts = torch.randn(4, 8, 4)
for step, x in enumerate(parts):
    loss = model(x).square().mean() / 4
    optimizer.zero_grad()  # here: only the last backward counts
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
```

Proof:

```python
alone = before.clone().requires_grad_()
(parts[3] @ alone.t()).square().mean().div(4).backward()
assert torch.allclose(model.weight, before - 0.1 * alone.grad)
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (a batch that is left out; cleared twice; the other's gradients; a phase that begins later; a closure):

```python
import torch
from torch import nn

torch.manual_seed(0)
maker, critic, late = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
of_maker = torch.optim.SGD(maker.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
other = nn.Linear(4, 1)
of_late = torch.optim.SGD(late.parameters(), lr=0.1)
by_closure = torch.optim.LBFGS(other.parameters(), max_iter=2)


def closure():
    by_closure.zero_grad()
    loss = other(torch.ones(2, 4)).square().mean()
    loss.backward()
    return loss


for step in range(5):
    fake = maker(torch.randn(8, 4))
    of_maker.zero_grad()
    loss = -critic(fake).mean()
    loss.backward()
    if step == 1:
        of_maker.zero_grad()
    of_maker.step()
    of_maker.zero_grad()
    of_critic.zero_grad()
    (critic(fake.detach()).mean() - critic(torch.randn(8, 4)).mean()).backward()
    of_critic.step()
    of_critic.zero_grad()
    of_late.zero_grad()
    if step > 2:
        late(torch.randn(8, 4)).square().mean().backward()
        of_late.step()
    other.zero_grad()
    by_closure.step(closure)
```

Fine (a critic that is cleared of what the generator's loss gave it, early or late; batches left out now and then):

```python
import torch
from torch import nn

torch.manual_seed(0)
maker, critic = nn.Linear(4, 4), nn.Linear(4, 1)
of_maker = torch.optim.SGD(maker.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
for step in range(6):
    of_critic.zero_grad()
    critic(maker(torch.randn(8, 4)).detach()).mean().backward()
    of_critic.step()
    of_maker.zero_grad()
    critic(maker(torch.randn(8, 4))).mean().backward()
    of_maker.step()
for step in range(6):
    of_maker.zero_grad()
    critic(maker(torch.randn(8, 4))).mean().backward()
    of_critic.zero_grad()
    critic(torch.randn(8, 4)).mean().backward()
    of_maker.step()
    of_critic.step()
for step in range(9):
    of_critic.zero_grad()
    loss = critic(torch.randn(8, 4)).square().mean()
    loss.backward()
    if step % 3:
        of_critic.step()
```

Fine (weights that are moved to where the loss is worse, and back):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
uphill = torch.optim.SGD(model.parameters(), lr=0.01, maximize=True)
for step in range(5):
    x, before = torch.randn(8, 4), [p.detach().clone() for p in model.parameters()]
    optimizer.zero_grad()
    model(x).square().mean().backward()
    uphill.step()
    optimizer.zero_grad()
    model(x).square().mean().backward()
    with torch.no_grad():
        for p, old in zip(model.parameters(), before):
            p.copy_(old)
    optimizer.step()
```

Fine (gradients of each task are read before they are cleared):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    x, kept = torch.randn(8, 4), []
    for task in range(2):
        optimizer.zero_grad()
        model(x)[:, task].square().mean().backward()
        kept.append(model.weight.grad.clone())
    model.weight.grad.copy_(kept[0] - kept[1])
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import ClearedGradients, DroppedGradients
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def cleared_before_step(code: Code) -> Hits:
    for call, name in code.cleared_before_step():
        says = f"the gradients of `{name}` are cleared here before it steps on them"
        yield code.hit(call, f"{says}: nothing is learned")


@pitfall.finds
def cleared_between_steps(code: Code) -> Hits:
    for call, name, every in code.cleared_between_steps():
        says = f"`{name}` steps in one of `{every}` rounds, and each clears what the one before"
        yield code.hit(call, f"{says} has added: only the last backward counts")


@pitfall.watches("gradients.cleared")
def nothing_left_to_step_on(seen: ClearedGradients) -> Hits:
    says = f"the gradients of `{seen.optimizer}` are cleared here before it steps on them"
    yield seen.hit(f"{says}: its {seen.steps} steps had none", steps=seen.steps)


@pitfall.watches("gradients.dropped")
def only_the_last_counts(seen: DroppedGradients) -> Hits:
    says = (
        "the gradients of the backward before are cleared here, and no step has used them: of what"
    )
    says += f" `{seen.optimizer}` steps on, only the last backward counts"
    yield seen.hit(says, steps=seen.steps, rounds=seen.rounds)
