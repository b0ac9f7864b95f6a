r"""A tensor that gathers gradients is changed in place.

A parameter, or a tensor made with `requires_grad=True`, is a leaf: gradients are gathered for the very
values that it holds. To change those in place while autograd records would leave no leaf to gather
for, so PyTorch refuses. What is meant is nearly always a change that is not to be recorded: an
initialization, a weight update, a clamp.

Cure: `with torch.no_grad():` around the change, or the functions of `torch.nn.init`, which do so
themselves; where the change is to be recorded, compute a new tensor.

Bad (an initialization):

```python
import torch
from torch import nn

layer = nn.Linear(4, 4)
layer.bias.fill_(0.5)  # seen: recorded
```

Bad (an update by hand):

```python
import torch

w = torch.randn(4, requires_grad=True)
(w.square().sum()).backward()
w -= 0.1 * w.grad  # seen: recorded
```

Bad (a part):

```python
import torch
from torch import nn

table = nn.Embedding(10, 4)
table.weight[0] = torch.zeros(4)  # seen: a part of a parameter
```

Bad (another size):

```python
import torch

w = torch.ones(4, requires_grad=True)
w.resize_(2, 2)  # seen: `reshape`
```

Bad (written to out):

```python
import torch

w, kept = torch.ones(3, requires_grad=True), torch.empty(3)
torch.add(w, 1, out=kept)  # seen: `out=`
```

Good:

```python
import torch
from torch import nn

layer = nn.Linear(4, 4)
with torch.no_grad():
    layer.bias.fill_(0.5)
nn.init.zeros_(layer.weight)
```

Message (torch 1.5 to 2.13, in a forward; `x = x + y`):

```text
  File "/env/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1518, in _call_impl
    return forward_call(*args, **kwargs)
  File "/code/model.py", line 61, in forward
    text_embeds += self.positions
RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
```

Message (torch 1.5 to 2.13, a part, in a forward; `x.clone()`):

```text
  File "/env/lib/python3.10/site-packages/torch/nn/modules/module.py", line 1518, in _call_impl
    return forward_call(*args, **kwargs)
  File "/code/model.py", line 61, in forward
    self.table[0] = self.start(x)
RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.
```

Message (torch 1.5 to 2.13, of a table that is filled; `torch.no_grad()`):

```text
  File "/code/model.py", line 6, in create_sinusoidal_embeddings_init
    E[:, 0::2] = torch.FloatTensor(np.sin(theta[:, 0::2]))
RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.
```

Message (torch 1.5 to 2.13, of a weight that is set; `torch.no_grad()`):

```text
  File "/code/test.py", line 107, in <module>
    cconv.weight[:,:,:,:] = W[:,:,:,:]
RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.
```

Message (torch 1.5 to 2.13, without its line; `made anew`):

```text
RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
```

Message (torch 1.4):

```text
RuntimeError: a leaf Variable that requires grad has been used in an in-place operation.
```

Message (an older torch; `result`):

```text
RuntimeError: leaf variable has been moved into the graph interior
```

Message (torch 0.1):

```text
AssertionError: leaf variable was used in an inplace operation
```

Message (torch 2.13; `x.detach().clone().apply_(f)`):

```text
RuntimeError: Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.
```
"""

import re

from keng.explain.advice.passes import changed_leaf
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<part>view of a )?leaf Variable that requires grad (?:is being|has been) used in an in-place",
    odds=0.95,
)
def changed_while_recording(failure: Failure) -> Hits:
    leaves = [o.name for o in failure.live.operands if o.is_leaf and o.requires_grad]
    written = re.match(r"([\w.]+?)(?:\.\w+_\(|\[|\s*[-+*/]=)", failure.line)
    name = leaves[0] if leaves else written[1] if written else ""
    part = "a part of " if failure.groups["part"] else ""
    thing = f"{part}`{name}`" if name else f"{part}a parameter"
    yield failure.hit(*changed_leaf(failure, thing))


@pitfall.explains(
    r"leaf variable (?:has been moved into the graph interior|was used in an inplace operation)",
    odds=0.95,
)
def made_a_result(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor that gathers gradients was changed in place, after which it is a result: fill it before requires_grad_(), "
        "or change x.clone()"
    )


@pitfall.explains(r"cannot resize variables that require grad", odds=0.95)
def resized(failure: Failure) -> Hits:
    yield failure.hit(
        "a tensor that gathers gradients cannot get another size: reshape makes a view of it"
    )


@pitfall.explains(
    r"functions with out=\.\.\. arguments don't support automatic differentiation", odds=0.95
)
def written_to_out(failure: Failure) -> Hits:
    yield failure.hit(
        "a result that records gradients cannot be written to `out=`: leave it out, or torch.no_grad()"
    )


@pitfall.explains(
    r"Can't call (?P<what>apply_|map2?_)\(\) on Variable that requires grad", odds=0.97
)
def changed_by_python(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"{what} changes numbers one by one, past every gradient: x.detach().clone().{what}(f)"
    )
