r"""`torch.compile` is given a backend, mode or option that it does not know.

A backend is looked up when the function first runs: `inductor`, `eager`, `aot_eager`, `cudagraphs`, and those that installed
packages bring. A `mode` is a set of options by name, and one call takes either a mode or options, not both. What options there are
depends on the version.

Cure: `torch._dynamo.list_backends()`, `torch._inductor.list_mode_options()` and `torch._inductor.list_options()` tell what there is; a backend of
another package, as `tensorrt`, is known once that is imported.

Bad (a backend):

```python
import torch

double = torch.compile(lambda x: 2 * x, backend="tensorrt")  # seen: `tensorrt`
double(torch.ones(3))
```

Bad (a mode):

```python
import torch

double = torch.compile(lambda x: 2 * x, mode="max_autotune")  # seen: `max-autotune`
```

Bad (an option):

```python
import torch

double = torch.compile(lambda x: 2 * x, options={"autotune": True})  # seen: `autotune`
```

Good:

```python
import torch

double = torch.compile(lambda x: 2 * x, mode="max-autotune")
```

Message (torch 2.0 to 2.13):

```text
RuntimeError: Either mode or options can be specified, but both can't be specified at the same time.
```
"""

from difflib import get_close_matches

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


@pitfall.explains(r"Invalid backend: '(?P<name>[^']{1,60})'", odds=0.97)
def no_such_backend(failure: Failure) -> Hits:
    yield failure.hit(
        f"torch.compile knows no backend `{failure.groups['name']}`: import the package that brings it, or see "
        "torch._dynamo.list_backends()"
    )


@pitfall.explains(r"Unrecognized mode=(?P<name>[\w-]{1,60}), should be one of", odds=0.97)
def no_such_mode(failure: Failure) -> Hits:
    name = failure.groups["name"]
    close = get_close_matches(name, MODES, 1)
    yield failure.hit(
        f"torch.compile knows no mode `{name}`: {f'`{close[0]}` is meant' if close else ', '.join(MODES)}"
    )


@pitfall.explains(r"Unexpected optimization option (?P<name>[\w.]{1,80}), known options", odds=0.97)
def no_such_option(failure: Failure) -> Hits:
    yield failure.hit(
        f"inductor has no option `{failure.groups['name']}` in this version: see torch._inductor.list_options()"
    )


@pitfall.explains(r"Either mode or options can be specified, but both", odds=0.97)
def two_at_once(failure: Failure) -> Hits:
    yield failure.hit("a mode is a set of options: give all as options, or the mode alone")
