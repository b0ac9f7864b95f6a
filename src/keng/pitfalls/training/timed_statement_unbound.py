r"""A timed statement names what the timer does not know.

`torch.utils.benchmark.Timer` takes the statement as a text and compiles it by itself, away from the program: its names come from `globals` and from what `setup`
does, and from nowhere else. It wants a text, too: a function is timed by a call of it.

Cure: `Timer("f(x)", globals={"f": f, "x": x})`, or `globals=globals()`; constants in `setup`.

Bad:

```python
import torch
from torch.utils.benchmark import Timer

weight = torch.ones(8, 8)
print(Timer("weight @ weight").timeit(4))  # seen: `globals={"weight": weight}`
```

Bad (a function for a text):

```python
import torch
from torch.utils.benchmark import Timer

weight = torch.ones(8, 8)
print(Timer(lambda: weight @ weight).timeit(4))  # seen: `Timer("f(x)", globals={"f": f, "x": x})`
```

Good:

```python
import torch
from torch.utils.benchmark import Timer

weight = torch.ones(8, 8)
print(Timer("weight @ weight", globals={"weight": weight}).timeit(4))
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"name '(?P<name>\w{1,60})' is not defined", odds=0.95)
def name_not_given(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if failure.passed_through("torch/utils/benchmark/utils/timer.py"):
        yield failure.hit(
            f'the timed statement knows nothing of the program: globals={{"{name}": {name}}}, or globals=globals()'
        )


pitfall.answers(
    {
        "Currently only a `str` stmt is supported": 'what is timed is a text: Timer("f(x)", globals={"f": f, "x": x})',
    },
    odds=0.95,
)
