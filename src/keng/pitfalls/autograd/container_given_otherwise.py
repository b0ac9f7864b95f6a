r"""A container of layers or parameters is given what it is not made of.

A `ModuleList` and a `ParameterList` are made of a list, a `ModuleDict` and a `ParameterDict` of names and what stands under them, and each name is
a text, since it becomes a part of the keys of the state dict. `+` joins two `Sequential`s and nothing else. `*` repeats one a whole number of times, and each
repetition is the same layers with the same weights.

Cure: `nn.ModuleList([layer])`; `nn.ModuleDict({str(i): layer})`; `nn.Sequential(*model, layer)`, or `model.append(layer)`.

Bad (a layer in place of a list):

```python
from torch import nn

heads = nn.ModuleList(nn.Linear(2, 2))  # seen: `[Linear(...)]`
```

Bad (a number in place of a list):

```python
from torch import nn

heads = nn.ModuleList(3)  # seen: `range(n)`
```

Bad (layers without names):

```python
from torch import nn

heads = nn.ModuleDict([nn.Linear(2, 2)])  # seen: pairs
```

Bad (names that are numbers):

```python
from torch import nn

heads = nn.ModuleDict({1: nn.Linear(2, 2)})  # seen: `str(...)`
```

Bad (parameters under numbers):

```python
import torch
from torch import nn

scales = nn.ParameterDict({1: torch.ones(2)})  # seen: `str(...)`
```

Bad (a layer added):

```python
from torch import nn

model = nn.Sequential(nn.Linear(2, 2)) + nn.ReLU()  # seen: `ReLU`
```

Bad (repeated by a fraction):

```python
from torch import nn

depth = 6
model = nn.Sequential(nn.Linear(2, 2)) * (depth / 2)  # seen: `float`
```

Bad (a place that is not there):

```python
from torch import nn

model = nn.Sequential(nn.Linear(2, 2))
model.insert(5, nn.ReLU())  # seen: `place 5`
```

Good:

```python
import torch
from torch import nn

heads = nn.ModuleList([nn.Linear(2, 2)])
named = nn.ModuleDict({str(i): head for i, head in enumerate(heads)})
scales = nn.ParameterDict({"1": torch.ones(2)})
model = nn.Sequential(*nn.Sequential(nn.Linear(2, 2)), nn.ReLU())
deep = nn.Sequential(*(nn.Linear(2, 2) for _ in range(3)))
```

Message (torch 2.13; `pairs`):

```text
TypeError: ModuleDict.update should be called with an iterable of key/value pairs, but got ReLU
```

Message (torch 2.13; `pairs`):

```text
ValueError: ParameterDict update sequence element #0 has length 1; 2 is required
```

Message (torch 2.13; `0`):

```text
ValueError: Non-positive multiplication factor 0 for <class 'torch.nn.modules.container.Sequential'>
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<what>ModuleList|ParameterList)\.extend should be called with an iterable, but got (?P<came>\w+)",
    odds=0.97,
)
def made_of_a_list(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"]
    cure = "[nn.Linear(...) for _ in range(n)]" if came == "int" else f"[{came}(...)]"
    yield failure.hit(f"a {what} is made of a list, and gets a {came}: {cure}")


@pitfall.explains(
    r"(?P<what>(?:Module|Parameter)s?Dict)\.update should be called with an iterable of key/value pairs",
    r"(?P<what>(?:Module|Parameter)Dict) update sequence element #\d+ (?:should be Iterable|has length \d+)",
    odds=0.97,
)
def made_of_pairs(failure: Failure) -> Hits:
    what = failure.groups["what"].replace("sDict", "Dict")
    yield failure.hit(
        f"a {what} is made of pairs of a name and what stands under it: {{'head': layer}}"
    )


@pitfall.explains(
    r"\b(?P<what>module|parameter|buffer) name should be a string\. Got (?P<came>\w+)",
    r"Index given to (?P<what>ParameterDict) cannot be used as a key as it is not a string \(type is '(?P<came>\w+)'\)",
    odds=0.97,
)
def name_that_is_no_text(failure: Failure) -> Hits:
    what, came = (
        failure.groups["what"].replace("ParameterDict", "parameter"),
        failure.groups["came"],
    )
    yield failure.hit(f"the name of a {what} is a text, and this is a {came}: str(...)")


@pitfall.explains(
    r"add operator supports only objects of Sequential class, but <class '(?:\w+\.){0,9}(?P<came>\w+)'> is given",
    odds=0.97,
)
def joined_with_another(failure: Failure) -> Hits:
    yield failure.hit(
        f"`+` joins two Sequentials, and here a {failure.groups['came']} is added: model.append(...), or nn.Sequential(*model, ...)"
    )


@pitfall.explains(
    r"unsupported operand type\(s\) for \*: <class '(?:\w+\.){0,9}Sequential'> and <class '(?P<by>[\w.]+)'>",
    r"Non-positive multiplication factor (?P<by>-?\d+) for <class '(?:\w+\.){0,9}Sequential'>",
    odds=0.97,
)
def repeated_so(failure: Failure) -> Hits:
    yield failure.hit(
        f"a Sequential is repeated a whole number of times, from 1, and not by {failure.groups['by']}; all share one set of weights"
    )


@pitfall.explains(r"Index out of range: (?P<at>-?\d+)", odds=0.95)
def put_where_nothing_is(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/modules/container.py"):
        yield failure.hit(
            f"the Sequential is too short for place {failure.groups['at']}: insert takes 0 to len(model)"
        )
