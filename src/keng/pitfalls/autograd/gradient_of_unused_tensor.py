r"""A gradient is asked for of a tensor that the result does not depend on.

`torch.autograd.grad(y, x)` looks for `x` in the graph of `y`. It is not there where `y` was computed
from a copy made before (`x.clone()`, `x.to(device)`), where `x` was replaced by a new tensor of the
same name, or where a branch left it out. Inputs record no gradient of their own unless they are told to.

Cure: compute `y` from the very tensor that is asked for; `x.requires_grad_()` before that, for an
input; `allow_unused=True` where None is a right answer.

Bad:

```python
import torch

x = torch.ones(3, requires_grad=True)
y = (2 * x).sum()
x = x.double()
(slope,) = torch.autograd.grad(y, x)  # seen: this x came after y
```

Bad (a tensor that records nothing):

```python
import torch

weight, x = torch.ones(3, requires_grad=True), torch.ones(3)
y = (weight * x).sum()
(slope,) = torch.autograd.grad(y, x)  # seen: `x.requires_grad_()`
```

Good:

```python
import torch

x = torch.ones(3, requires_grad=True)
y = (2 * x).sum()
(slope,) = torch.autograd.grad(y, x)
```

Message (torch 1.13, 2.4):

```text
RuntimeError: One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.
```

Message (torch 1.0 to 2.13, of a model that is half frozen; `frozen parameters are left out`):

```text
After freezing some blocks of the U-Net training stops:
RuntimeError: One of the differentiated Tensors does not require grad
```

Message (torch 1.0 to 2.13; `x.requires_grad_()`):

```text
RuntimeError: One of the differentiated Tensors does not require grad
```

Message (torch 2.13; `leave allow_unused out`):

```text
ValueError: Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.
```

Message (torch 0.2 to 0.3):

```text
RuntimeError: differentiated input is unreachable
```

Message (torch 0.3):

```text
RuntimeError: One of the differentiated Variables does not require grad
```
"""

from keng.explain.advice.passes import asked_of_a_constant
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"differentiated (?:Tensor|Variable)s? (?:at index \d+ )?appears to not have been used in the graph|Error: differentiated input is unreachable",
    odds=0.95,
)
def of_what_has_no_part(failure: Failure) -> Hits:
    yield failure.hit(
        "the result does not depend on a tensor whose gradient is asked for: the very one that went in, and no copy of it "
        "(.to(), clone(), a new x); allow_unused=True where a parameter has no part"
    )


@pitfall.explains(
    r"differentiated (?:Tensor|Variable)s? (?:at index \d+ )?does not require grad", odds=0.95
)
def of_what_records_nothing(failure: Failure) -> Hits:
    there = [o for o in failure.live.operands if not o.requires_grad]
    floats = len(there) == 1 and "float" in there[0].dtype
    fix = failure.mended("recorded", there[0].name) if floats else None
    yield failure.hit(asked_of_a_constant(failure), fix)


pitfall.answers(
    {
        "True or not passed when materialize_grads=True": "materialize_grads=True gives zeros for what is unused, and allows it: leave allow_unused out",
    },
    odds=0.95,
)
