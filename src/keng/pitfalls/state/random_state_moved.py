r"""The state of a random generator is restored from a tensor that went to the card, or from another type.

`torch.get_rng_state` and `torch.cuda.get_rng_state` give bytes (`uint8`) in the CPU's memory, and only such are taken back. A
checkpoint loaded with `map_location="cuda"` has moved them to the card with everything else; one that was kept as
a list or in NumPy gives another type.

Cure: load with `map_location="cpu"`, and let `load_state_dict` move what belongs on the card; or `state.cpu()` before
`torch.set_rng_state`. From a list: `torch.tensor(state, dtype=torch.uint8)`.

Bad (of another type):

```python
import torch

kept = {"rng": torch.get_rng_state().tolist()}
torch.set_rng_state(torch.tensor(kept["rng"]))  # seen: `bytes`
```

Bad (of something else):

```python
import torch

torch.set_rng_state(torch.get_rng_state()[:16])  # seen: `16 bytes`
```

Good:

```python
import torch

kept = {"rng": torch.get_rng_state().tolist()}
torch.set_rng_state(torch.tensor(kept["rng"], dtype=torch.uint8))
torch.set_rng_state(torch.get_rng_state().cpu())
```

Message (torch 1.0 to 2.13; `card`):

```text
Traceback (most recent call last):
  File "train.py", line 48, in <module>
    torch.set_rng_state(checkpoint["rng"])
  File "/env/lib/python3.11/site-packages/torch/random.py", line 18, in set_rng_state
    default_generator.set_state(new_state)
TypeError: RNG state must be a torch.ByteTensor
```

Message (torch 0.4 to 1.1):

```text
TypeError: expected a torch.ByteTensor, but got torch.cuda.ByteTensor
```

Message (torch 2.13; `generator`):

```text
RuntimeError: Invalid mt19937 state
```

Message (torch 0.1 to 1.1):

```text
RuntimeError: invalid argument 1: RNG state is wrong size at /pytorch/torch/lib/TH/generic/THTensorRandom.c:200
```

Message (torch 2.13):

```text
TypeError: expected a torch.ByteTensor, but got list
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_messages import GENERATOR

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.says(GENERATOR, odds=0.93)


@pitfall.explains(
    r"RNG state must be a torch\.ByteTensor",
    r"expected a torch\.ByteTensor, but got torch\.cuda\.ByteTensor",
    odds=0.95,
)
def state_of_another_kind(failure: Failure) -> Hits:
    yield failure.hit(
        "the random state is not bytes on the CPU: map_location has moved it to the card, or it has another type: state.cpu().byte()"
    )


@pitfall.explains(
    r"Expected a CPUGeneratorImplState of size \d+ but found the input RNG state size to be (?P<came>\d+)",
    r"Invalid mt19937 state",
    odds=0.95,
)
def state_of_something_else(failure: Failure) -> Hits:
    came = failure.groups.get("came")
    yield failure.hit(
        "the random state is not one of the CPU's generator"
        + (f", it has {came} bytes" if came else "")
        + ": saved of the card's, or cut"
    )


pitfall.answers(
    {
        "expected a torch.ByteTensor, but got list": "a random state is the tensor of bytes that get_rng_state() gave: torch.tensor(state, dtype=torch.uint8)",
    },
    odds=0.95,
)
