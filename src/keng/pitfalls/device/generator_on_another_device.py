r"""A random generator belongs to another device than what is drawn.

A `torch.Generator` is of one device. Samplers and `randperm` draw on the CPU unless the default device was
changed: after `torch.set_default_device("cuda")` or `set_default_tensor_type`, a DataLoader that shuffles asks a
CPU generator for numbers on the GPU.

Cure: `torch.Generator(device="cuda")` for what is drawn there; for a loader leave the default device at the CPU, or
give it `generator=torch.Generator(device=...)` of the default device.

Bad:

```python
import torch

generator = torch.Generator()
generator.manual_seed(0)
noise = torch.randn(2, device="cuda", generator=generator)
```

Good:

```python
import torch

generator = torch.Generator()
generator.manual_seed(0)
noise = torch.randn(2, generator=generator)
```

Message (torch 1.6 to 2.13; `torch.Generator`):

```text
RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'
```

Message (torch 2.0 to 2.13, of a loader; `for the loader or split`):

```text
  File "/env/lib/python3.11/site-packages/torch/utils/data/sampler.py", line 165, in __iter__
    for _ in range(self.num_samples // n):
RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'
```

Message (torch 1.6 to 2.13):

```text
RuntimeError: Expected a 'cpu' device type for generator but found 'cuda'
```

Message (torch 2.4 to 2.13, CUDA; `cuda:0`):

```text
RuntimeError: Expected a 'cuda:0' generator device but found 'cpu'
```

Message (diffusers; `torch.Generator(device='cpu')`):

```text
ValueError: Cannot generate a cpu tensor from a generator of type cuda.
```

Message (torch 1.10 to 2.3, torch-directml; `privateuseone`):

```text
RuntimeError: Device type privateuseone is not supported for torch.Generator() api.
```

Message (torch 0.4; `set_default_tensor_type`):

```text
RuntimeError: randperm is only implemented for CPU
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"Expected a '(?P<wants>[\w:]+)' (?:generator )?(?:device type for generator|generator device) but found '(?P<came>[\w:]+)'",
    odds=0.95,
)
def of_another_device(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    says = f"the generator is of {came} and the numbers are drawn on {wants}"
    own = f"torch.Generator(device='{wants}')"
    cure = f"{own}, or no default device other than the CPU where a loader shuffles"
    if failure.passed_through("utils/data/sampler.py", "utils/data/dataset.py"):
        cure = f"the default device is {wants}: leave it at the CPU, or generator={own} for the loader or split that shuffles"
    yield failure.hit(f"{says}: {cure}")


@pitfall.explains(
    r"Cannot generate a (?P<wants>\w+) tensor from a generator of type (?P<came>\w+)", odds=0.95
)
def of_a_pipeline(failure: Failure) -> Hits:
    yield from of_another_device(failure)


@pitfall.explains(r"Device type (?P<came>\w+) is not supported for torch\.Generator\(\)", odds=0.95)
def none_for_this_device(failure: Failure) -> Hits:
    yield failure.hit(
        f"there are no generators for {failure.groups['came']}: draw on the CPU with torch.Generator(), then move"
    )


@pitfall.explains(r"randperm is only implemented for CPU", odds=0.95)
def permutation_of_the_default_tensors(failure: Failure) -> Hits:
    yield failure.hit(
        "a sampler shuffles with the default tensors, which are the card's: leave set_default_tensor_type at the CPU, or "
        "PyTorch from 1.2 on"
    )
