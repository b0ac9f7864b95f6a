r"""The loss scale falls step by step, and every step is skipped.

A `GradScaler` halves its scale and skips the step where a gradient is not finite. That is meant for
the first few steps. Where the model itself gives infinite or NaN gradients no scale helps: it is halved
at every step, down to nothing, and no step is ever taken. The loss, if it is finite, just stays.

Cure: find what is not finite with the scaler off and in float32; keep logarithms, divisions and large
sums out of float16.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(24):
    optimizer.zero_grad()
    loss = (model(torch.randn(8, 4)) * 0).sqrt().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()  # seen: skipped each time
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(24):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
```

Fine (a scale that is too high at first, and settles):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**127)
for step in range(24):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
```

Message (fairseq; `0.0001`):

```text
FloatingPointError: Minimum loss scale reached (0.0001). Your loss is probably exploding. Try lowering the learning rate, using gradient clipping or increasing the batch size.
```

Message (DeepSpeed):
Message (DeepSpeed; `bfloat16`):

```text
Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.
```

Message (torch 2.13; `growth_factor`):

```text
AssertionError: The growth factor must be > 1.0.
```

Message (torch 2.13; `scaler.state_dict()`):

```text
AssertionError: A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after scaler.update().
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LossScale

pitfall = Pitfall(__name__, __doc__, severity="error")

LOWEST = 1.0
"""Below this the loss is made smaller, which is no help against gradients that are too small."""


@pitfall.watches("loss.scale")
def halved_to_nothing(seen: LossScale) -> Hits:
    if seen.scale < LOWEST and seen.times >= 8:
        says = f"the loss scale has fallen to {seen.scale:.1e}, {seen.times} times without growing"
        yield seen.hit(f"{says}: these steps are skipped", scale=seen.scale)


@pitfall.explains(
    r"Minimum loss scale reached \((?P<scale>[\de.-]+)\)",
    r"Current loss scale already at minimum",
    odds=0.95,
)
def at_its_lowest(failure: Failure) -> Hits:
    scale = failure.groups.get("scale")
    at = f" {scale}," if scale else " at"
    yield failure.hit(
        f"the loss scale is{at} its lowest, and gradients overflow still: bfloat16, a lower learning rate, or data without NaN"
    )


@pitfall.explains(r"[Ll]oss scale already at minimum", odds=0.95)
def no_lower_scale(failure: Failure) -> Hits:
    yield failure.hit(
        "every step overflows, down to the smallest loss scale: bfloat16 where the card has it, a lower learning rate, or NaN in "
        "the data or the weights"
    )


pitfall.answers(
    {
        "The growth factor must be > 1.0": "the loss scale is multiplied by growth_factor after steps without overflow: above 1, 2.0 is usual",
        "The backoff factor must be < 1.0": "the loss scale is multiplied by backoff_factor where gradients overflow: below 1, 0.5 is usual",
        "A GradScaler instance may only be pickled": "the scaler is copied or saved between unscale_ and update: scaler.state_dict() after scaler.update()",
    },
    odds=0.95,
)
