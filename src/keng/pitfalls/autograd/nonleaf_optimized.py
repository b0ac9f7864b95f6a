r"""An optimizer is given the result of an operation.

An optimizer changes leaves: tensors that were not computed from others. `torch.randn(3,
requires_grad=True) * 0.1` and `nn.Parameter(...).cuda()` make a leaf first and then compute something
from it; gradients go to the leaf that nobody holds, and the optimizer refuses the result.

Cure: compute first, then ask for gradients: `(torch.randn(3) * 0.1).requires_grad_()`,
`torch.randn(3, device=device, requires_grad=True)`, `nn.Parameter(torch.randn(3).cuda())`.

Bad (scaled):

```python
import torch

w = torch.randn(3, requires_grad=True) * 0.1  # here: the product is no leaf
optimizer = torch.optim.SGD([w], lr=0.1)
```

Bad (another type):

```python
import torch
from torch import nn

w = nn.Parameter(torch.randn(3)).double()  # here: the converted copy is no leaf
optimizer = torch.optim.Adam([{"params": [w], "lr": 0.1}])
```

Bad (a copy that asks for gradients, and noise):

```python
import torch

content = torch.rand(1, 3, 8, 8)
image = content.clone().requires_grad_(True) + 0.1 * torch.randn_like(content)  # here: a sum
optimizer = torch.optim.LBFGS([image])
```

Good:

```python
import torch
from torch import nn

w = (torch.randn(3) * 0.1).requires_grad_()
v = nn.Parameter(torch.randn(3).double())
optimizer = torch.optim.SGD([w, v], lr=0.1)
```

Fine (computed without recording, made a leaf again, moved to where it is):

```python
import torch

w = (torch.randn(3, requires_grad=True) * 0.1).detach().requires_grad_()
with torch.no_grad():
    v = torch.randn(3, requires_grad=True) * 0.1
v.requires_grad_()
u = torch.randn(3, requires_grad=True)
loss = (u * 0.1).sum()
optimizer = torch.optim.SGD([u, v, w], lr=0.1)
```

Fine (on the device where it is, unless told otherwise):

```python
import torch


def tuned(steps, device="cpu"):
    prompt = torch.randn(4, requires_grad=True).to(device)
    optimizer = torch.optim.SGD([prompt], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        prompt.square().sum().backward()
        optimizer.step()
    return prompt


prompt = tuned(3)
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def computed_from_a_leaf(code: Code) -> Hits:
    for name, value in code.optimized_values():
        if not code.computed_from_leaf(value) or code.grad_at(value) is not Grad.ON:
            continue
        edit = code.append(value, ".detach().requires_grad_()")
        says = f"`{name.id}` is computed from the tensor that gathers the gradients"
        yield code.hit(value, says, fix=Fix(f"Make `{name.id}` a leaf of its own", (edit,), "safe"))


@pitfall.explains(r"can't optimize a non-leaf (?:Tensor|Variable)", odds=0.95)
def no_leaf(failure: Failure) -> Hits:
    computed = [o.name for o in failure.live.operands if not o.is_leaf]
    name = f"`{computed[0]}`" if computed else "what the optimizer gets"
    yield failure.hit(
        f"{name} is the result of an operation, as .to(device) or `* 0.1` behind it is: compute first, then requires_grad_(), or nn.Parameter(x.to(device))"
    )
