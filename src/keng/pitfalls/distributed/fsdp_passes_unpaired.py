r"""Under FSDP a forward and its backward do not come in pairs.

FullyShardedDataParallel gathers and releases weights in hooks, and holds that each wrapped part is run once forward, then once backward, then rests. It loses count where an output of a wrapped part
takes no part in the loss, where two forwards come before the first backward (two views of a batch, a loss for each of several heads), where a part inside is called past the outermost model, as with manual
optimization, and where activation checkpointing runs a part anew that was used twice.

Cure: one forward of the outermost model for one backward: stack the inputs, or sum the losses; all that is called stands in its forward; leave out outputs that nobody uses, or wrap larger parts;
`checkpoint(..., use_reentrant=False)`. `fully_shard` (FSDP2) is less strict.

Bad:

```python
def step(model, first, second):  # model is FullyShardedDataParallel
    one = model(first).mean()
    other = model(second).mean()  # a second forward before the first backward
    one.backward()
    other.backward()
```

Good:

```python
import torch


def step(model, first, second):
    model(torch.cat([first, second])).mean().backward()
```

Message (torch 2.0 to 2.13; `one forward`):

```text
AssertionError: Expects `BACKWARD_PRE` or `BACKWARD_POST` state but got HandleTrainingState.FORWARD
```

Message (torch 1.11 to 2.13; `one forward`):

```text
ValueError: expected to be in states [<TrainingState.FORWARD_BACKWARD: 2>] but current state is TrainingState.IDLE
```

Message (fairscale 0.3 to 0.4; `one forward`):

```text
RuntimeError: expected to be in states [<TrainingState.IDLE: 1>, <TrainingState.BACKWARD_PRE: 3>] but current state is TrainingState.BACKWARD_POST
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several cards")


@pitfall.explains(
    r"Expects `BACKWARD_PRE` or `BACKWARD_POST` state but got HandleTrainingState\.\w+",
    r"expected to be in states \[.{0,200}?\] but current state is TrainingState\w*\.\w+",
    odds=0.85,
)
def out_of_step(failure: Failure) -> Hits:
    yield failure.hit(
        "FSDP counts one forward of the outermost model for one backward: no second forward before it, no part called past the model, "
        "no output that the loss leaves out, checkpoint(use_reentrant=False)"
    )
