r"""A tensor is written as JSON, which has no tensors.

A loss or a metric kept for a log is a tensor still, and `json.dumps` knows numbers, texts, lists and dicts alone.

Cure: `x.item()` of one number, `x.tolist()` of several.

Bad:

```python
import json

import torch

loss = torch.ones(3).mean()
line = json.dumps({"epoch": 1, "loss": loss})  # seen: `x.item()` of one number
```

Good:

```python
import json

import torch

losses = torch.ones(3)
line = json.dumps({"epoch": 1, "loss": losses.mean().item(), "each": losses.tolist()})
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Object of type (?P<kind>Tensor|Parameter) is not JSON serializable", odds=0.95)
def no_number(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} goes into JSON: `x.item()` of one number, `x.tolist()` of several"
    )
