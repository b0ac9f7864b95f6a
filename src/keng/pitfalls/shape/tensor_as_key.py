r"""A tensor is the key of a dict, where each tensor is a key of its own.

Tensors are hashed by what object they are, not by their value, as `==` on them gives a tensor. Two tensors that both hold 1 are two
keys, and neither is the number 1: what was stored under one is not found with the other, and a set keeps all of them.

Cure: `x.item()` for a key of one number, `tuple(x.tolist())` for one of several.

Bad:

```python
import torch

names = {0: "cat", 1: "dog"}
label = torch.tensor(1)
name = names[label]  # seen: `.item()`
```

Good:

```python
import torch

names = {0: "cat", 1: "dog"}
label = torch.tensor(1)
name = names[label.item()]
```

Message (torch 2.13; `.item()`):

```text
KeyError: tensor(3, device='cuda:0')
```

Message (torch 2.13; `tuple(x.tolist())`):

```text
KeyError: tensor([1, 2])
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"(?:^|Error: )tensor\((?P<first>[^)]?)", odds=0.95)
def not_found(failure: Failure) -> Hits:
    if failure.kind == "KeyError":
        key = "tuple(x.tolist())" if failure.groups["first"] == "[" else "x.item()"
        yield failure.hit(
            f"a tensor is looked up in a dict, where only the same object is found: {key}"
        )
