r"""A gradient is assigned that does not fit its tensor.

`.grad` has the shape, dtype and device of its tensor. Gradients that are copied by hand, between a master copy in float32 and
weights in half precision, between a meta-learner's models, or after a layer was given another size, may not.

Cure: `p.grad = g.to(p.dtype)` after a look at both shapes; go through parameters by name, not by place in a list.

Bad (another size):

```python
import torch
from torch import nn

weight = nn.Parameter(torch.ones(3))
weight.grad = torch.ones(4)  # seen: `[4]`
```

Bad (another dtype):

```python
import torch
from torch import nn

weight = nn.Parameter(torch.ones(3))
weight.grad = torch.ones(3, dtype=torch.float64)  # seen: `double`
```

Good:

```python
import torch
from torch import nn

weight = nn.Parameter(torch.ones(3))
weight.grad = torch.ones(3, dtype=torch.float64).to(weight.dtype)
```

Message (torch 2.13; `meta`):

```text
RuntimeError: attempting to assign a gradient with device type 'meta' to a tensor with device type 'cpu'. Please ensure that the gradient and the tensor are on the same device
```

Message (torch 1.0 to 1.13):

```text
RuntimeError: assigned grad has data of a different size
```

Message (torch 2.13; `int`):

```text
TypeError: assigned grad expected to be a Tensor or None but got grad of type int
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

ORDER = "it is another parameter's, as where two lists are in another order, or of before a resize: go by name"


@pitfall.explains(
    r"assign a gradient of size '(?P<came>\[[\d, ]*\])' to a tensor of size '(?P<there>\[[\d, ]*\])'",
    r"assign a gradient with dtype '(?P<came>[\w :<>]+)' to a tensor with (?:grad_)?dtype '(?P<there>\w+)'",
    r"assign a gradient with device type '(?P<came>\w+)' to a tensor with device type '(?P<there>\w+)'",
    odds=0.96,
)
def does_not_fit(failure: Failure) -> Hits:
    came, there = failure.groups["came"], failure.groups["there"]
    cure = (
        "p.grad = g.to(p.device)" if "device type" in failure.message else "p.grad = g.to(p.dtype)"
    )
    yield failure.hit(
        f"the gradient is {came} and its tensor {there}: {ORDER if '[' in came else cure}"
    )


@pitfall.explains(
    r"assigned grad has data of a different (?P<what>size|type|dtype|device)", odds=0.96
)
def another(failure: Failure) -> Hits:
    what = failure.groups["what"]
    cures = {"size": ORDER, "device": "p.grad = g.to(p.device)"}
    yield failure.hit(
        f"the gradient is of another {what} than its tensor: {cures.get(what, 'p.grad = g.to(p.dtype)')}"
    )


@pitfall.explains(
    r"assigned grad expected to be a Tensor or None but got grad of type (?P<came>\w+)", odds=0.96
)
def no_tensor(failure: Failure) -> Hits:
    yield failure.hit(f"a gradient is a tensor or None, not {failure.groups['came']}")
