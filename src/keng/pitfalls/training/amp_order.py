r"""Mixed precision takes its steps in a wrong order.

A `GradScaler` multiplies the loss, 65536 times at first, so that small gradients survive in float16,
and divides the gradients again in `scaler.step`. Gradients that are clipped before
`scaler.unscale_(optimizer)` are still that much too large, and clipping leaves almost nothing of them.
`optimizer.step()` would use them as they are, and without `scaler.update()` no second step is taken.
Without a scaler, gradients below 3e-8 are 0 in float16.

Cure: scale, backward, `scaler.unscale_(optimizer)` where gradients are clipped, `scaler.step(optimizer)`,
`scaler.update()`. bfloat16 needs no scaler.

Bad (clipped before it is unscaled):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    scaler.scale(loss).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # here: 65536 times too large
    scaler.step(optimizer)
    scaler.update()
```

Proof:

```python
assert norm > 1000
```

Bad (each step in a method of its own, mixed into what trains):

```python
import torch
from torch import nn


class Scaled:
    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def take_step(self):
        self.norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # here: too large still
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Trainer(Scaled):
    def __init__(self):
        self.model = nn.Linear(4, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")

    def train(self, rounds):
        for x in rounds:
            self.optimizer.zero_grad()
            loss = self.model(x).square().mean()
            self.backward(loss)
            self.take_step()


trainer = Trainer()
trainer.train(torch.randn(3, 8, 4))
```

Proof:

```python
assert trainer.norm > 1000
```

Bad (float16 without a scaler, in a block and by a decorator):

```python
import torch
from torch import nn


def halved(function):
    def inner(*args):
        with torch.autocast("cpu", torch.float16):
            return function(*args)

    return inner


@halved
def compute(model, x):
    return (model(x) - 1).float().mean() * 1e-8


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = (model(x) - 1).float().mean() * 1e-8
    loss.backward()  # here: small gradients become 0
    optimizer.step()
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    loss = compute(model, x)
    loss.backward()  # here: small gradients become 0
    optimizer.step()
```

Proof:

```python
assert not model.weight.grad.any()
```

Bad (one step a call, of a class that is given the scaler):

```python
import torch
from torch import nn


class Engine:
    def __init__(self, model, optimizer, scaler):
        self.model, self.optimizer, self.scaler = model, optimizer, scaler

    def train_step(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).square().mean()
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # here: 65536 times too large
        self.scaler.step(self.optimizer)
        self.scaler.update()


model = nn.Linear(4, 1)
engine = Engine(model, torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler("cpu"))
for x in torch.randn(3, 8, 4):
    engine.train_step(x)
```

Bad (the optimizer steps by itself):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    scaler.scale(loss).backward()
    optimizer.step()  # here: with gradients 65536 times too large
    scaler.update()
```

Bad (no update, or none but that of a meter):

```python
import torch
from torch import nn


class Meter:
    total = 0.0

    def update(self, value):
        self.total += value


def train(model, batches, optim, scaler, losses):
    for x in batches:
        optim.zero_grad()
        loss = model(x).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optim)  # here: no `scaler.update()` follows
        losses.update(loss.item())


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train(model, torch.randn(3, 8, 4), optimizer, torch.amp.GradScaler("cpu"), Meter())
scaler = torch.amp.GradScaler("cpu")
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # here: no `scaler.update()` follows
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
```

Fine (a scaler of one's own, and a step that is taken by whoever calls):

```python
import torch
from torch import nn


class Scaler:
    def __init__(self):
        self.inner = torch.amp.GradScaler("cpu")

    def __call__(self, loss, optimizer, parameters, last):
        self.inner.scale(loss).backward()
        if last:
            self.inner.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, 1.0)
            self.inner.step(optimizer)
            self.inner.update()


class Wave:
    def scale(self, loss):
        return loss * 2


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler, wave = Scaler(), Wave()
for step, x in enumerate(torch.randn(4, 8, 4)):
    loss = model(x).square().mean() / 2
    scaler(loss, optimizer, model.parameters(), last=step % 2 == 1)
    if step % 2:
        optimizer.zero_grad()
for x in torch.randn(2, 8, 4):
    optimizer.zero_grad()
    wave.scale(model(x).square().mean()).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
```

Fine (the bound is scaled as the gradients are):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for x in torch.randn(4, 8, 4):
    optimizer.zero_grad()
    scaler.scale(model(x).square().mean()).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.5 * scaler.get_scale())
    scaler.step(optimizer)
    scaler.update()
```

Fine (bfloat16, and what autocast takes on a CPU, need no scaler; switched off):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(2, 8, 4):
    optimizer.zero_grad()
    with torch.autocast("cpu"):
        loss = model(x).float().square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16, enabled=False):
        loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
```

Fine (with and without a scaler; clipped in the arm without one):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")


def train(half):
    for x in torch.randn(3, 8, 4):
        optimizer.zero_grad()
        loss = model(x).square().mean()
        if half:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()


train(True)
train(False)
```

Message (torch 1.6 to 2.13, of a batch that was skipped; `comes without a step`):

```text
AssertionError: No inf checks were recorded prior to update.
```

Message (torch 1.6 to 2.13; `has a gradient`):

```text
AssertionError: No inf checks were recorded for this optimizer.
```

Message (torch 2.13.0):

```text
AssertionError: Attempted step but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration.
```

Message (torch 1.6 to 2.13):

```text
RuntimeError: unscale_() has already been called on this optimizer since the last update().
```

Message (torch 1.6 to 2.2, on the CPU; `loss.is_cuda`):

```text
Traceback (most recent call last):
  File "train.py", line 305, in <module>
    scaler.scale(loss).backward()
  File "/env/lib/python3.12/site-packages/torch/cuda/amp/grad_scaler.py", line 203, in scale
    assert outputs.is_cuda or outputs.device.type == "xla"
AssertionError
```

Bad (a model that was halved; the scaler wants float32 weights):

```python
import torch
from torch import nn

model = nn.Linear(4, 1).half()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(model(torch.ones(2, 4).half()).sum()).backward()
scaler.step(optimizer)  # seen: `keep it in float32`
scaler.update()
```

Message (torch 1.6 to 2.13; `closure`):

```text
RuntimeError: Closure use is not currently supported if GradScaler is enabled.
```

Message (torch 1.6 to 2.13):

```text
RuntimeError: unscale_() is being called after step().
```

Message (Lightning; `LBFGS`):

```text
MisconfigurationException: AMP and the LBFGS optimizer are not compatible.
```
"""

from keng.explain.advice.steps import scaled_as_half
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.run.moments import ClippedGradients, ScaledStep
from keng.source import Act, Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def clipped_while_scaled(code: Code) -> Hits:
    for loop in code.scaled_rounds():
        steps = code.scaler_steps(loop)
        for clip in loop.all(Act.CLIP) if steps and not loop.has(Act.UNSCALE) else ():
            along = "scale" in code.text_of(clip.call).partition(",")[2]
            if along or clip.code is not code or code.alternatives(clip.call, steps[0]):
                continue
            scaler, given = code.text_of(code.receiver(steps[0])), steps[0].args
            line = given and code.new_line_before(
                clip.call, f"{scaler}.unscale_({code.text_of(given[0])})"
            )
            fix = Fix("Unscale the gradients first", (line,)) if line else None
            yield code.hit(clip.call, f"clips gradients that `{scaler}` has scaled up", fix=fix)


@pitfall.finds
def stepped_past_the_scaler(code: Code) -> Hits:
    for loop in code.scaled_rounds():
        for step in [] if code.scaler_steps(loop) else loop.own(Act.STEP):
            yield code.hit(step.call, "steps with gradients that are still scaled up")


@pitfall.finds
def never_updated(code: Code) -> Hits:
    for loop in code.scaled_rounds():
        for step in code.scaler_steps(loop)[:1]:
            scaler = code.receiver(step)
            if not code.updates(scaler):
                says = f"`{code.text_of(scaler)}.update()` never follows, so this is the only step"
                yield code.hit(step, says)


@pitfall.finds
def halved_and_not_scaled(code: Code) -> Hits:
    for call in code.halved_unscaled():
        yield code.hit(
            call, "small gradients become 0 in float16 without a GradScaler: bfloat16 needs none"
        )


CLOSURE = "a GradScaler takes no closure, as LBFGS wants: bfloat16 without scaling"
pitfall.answers(
    {
        "No inf checks were recorded for this": "no parameter of this optimizer has a gradient: frozen, of the model before it was moved or wrapped, cut off from the loss, or cleared by zero_grad() after scaler.scale(loss).backward()",
        "No inf checks were recorded prior": "scaler.update() comes without a step: scaler.step(optimizer) first, and no update() where a batch is skipped",
        "Closure use is not currently supported if GradScaler": CLOSURE,
        "AMP and the LBFGS optimizer are not compatible": CLOSURE,
        "unscale_() is being called after step()": "unscale_ comes before scaler.step, and clipping between them",
        "step() has already been called since the last update": "scaler.step was called twice: scaler.update() ends each step",
        "state dict is empty, possibly because it was saved from a disabled": "the saved scaler was disabled and has no state: do not load it",
        "assert outputs.is_cuda": "the loss is on the CPU, and torch.cuda.amp.GradScaler scales on a card alone: GradScaler(enabled=loss.is_cuda), or torch.amp.GradScaler('cpu') of torch 2.3 and later",
        " but _scale is None": "no loss went through the scaler: scaler.scale(loss).backward()",
    },
    odds=0.9,
)


@pitfall.watches("gradients.clipped")
def clipped_with_the_scale_on(clip: ClippedGradients) -> Hits:
    if clip.scaled:
        says = f"clips to {clip.max_norm:g} what the GradScaler has scaled up and not unscaled"
        yield clip.hit(f"{says}; little is left of it")


@pitfall.watches("step.scaled")
def stepped_with_the_scale_on(step: ScaledStep) -> Hits:
    yield step.hit(f"`{step.optimizer}` steps by itself, with gradients that are still scaled up")


@pitfall.explains(r"Attempting to unscale FP16 gradients|_amp_foreach_non_finite_check", odds=0.95)
def half_of_its_own(failure: Failure) -> Hits:
    yield failure.hit(scaled_as_half(failure.message))


@pitfall.explains(r"unscale_\(\) has already been called", odds=0.9)
def unscaled_twice(failure: Failure) -> Hits:
    fix = failure.mended("unscaled_once")
    says = "scaler.unscale_ was called twice: once before each scaler.update(), with accumulated gradients only where the optimizer steps, and update() where a step is skipped"
    yield failure.hit(says, fix)
