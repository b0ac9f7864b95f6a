r"""A gradient is asked for of a tensor that the result does not depend on.

`torch.autograd.grad(y, x)` looks for `x` in the graph of `y`. It is not there where `y` was computed
from a copy made before (`x.clone()`, `x.to(device)`), where `x` was replaced by a new tensor of the
same name, or where a branch left it out.

Cure: compute `y` from the very tensor that is asked for; `allow_unused=True` where None is a right
answer.

Bad:

```python
import torch

x = torch.ones(3, requires_grad=True)
y = (2 * x).sum()
x = x.double()
(slope,) = torch.autograd.grad(y, x)  # seen: this x came after y
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

Message (torch 1.0 to 2.13):

```text
RuntimeError: One of the differentiated Tensors does not require grad
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


pitfall.says(
    r"differentiated Tensors? (?:at index \d+ )?(?:appears to not have been used in the graph|does not require grad)",
    odds=0.95,
)
