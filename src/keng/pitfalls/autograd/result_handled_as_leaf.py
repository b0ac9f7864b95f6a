r"""A computed tensor is handled as if it were a parameter.

Whether gradients are recorded is decided at the leaves, the tensors that were made and not computed. A result follows its
inputs: its `requires_grad` cannot be switched off, and its `.grad` stays None after backward. A tensor that takes no
gradient at all has none to hook into.

Cure: `y.detach()` for a copy outside the graph; `y.retain_grad()` before backward to see its gradient; freeze
parameters, not what the model gives.

Bad (switched off):

```python
import torch
from torch import nn

features = nn.Linear(2, 2)(torch.ones(1, 2))
features.requires_grad = False  # seen: `detach`
```

Bad (a hook on what takes no gradient):

```python
import torch

x = torch.ones(3)
x.register_hook(print)  # seen: `requires_grad`
```

Good:

```python
import torch
from torch import nn

features = nn.Linear(2, 2)(torch.ones(1, 2))
features.register_hook(print)
frozen = features.detach()
```

Message (torch 1.5 to 2.13; `retain_grad`):

```text
UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor.
```

Message (torch 2.13; `requires_grad`):

```text
RuntimeError: can't retain_grad on Tensor that has requires_grad=False
```

Message (torch 1.8; `torch.autograd.grad`):

```text
RuntimeError: One of the differentiated Tensors given as 'inputs' to backward is not a leaf Tensor
```

Message (torch 2.1 to 2.13; `register_hook`):

```text
RuntimeError: post accumulate grad hooks cannot be registered on non-leaf tensors
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"you can only change requires_grad flags of leaf variables", odds=0.96)
def switched_off(failure: Failure) -> Hits:
    yield failure.hit(
        "a result follows its inputs and cannot be switched: y.detach(), or freeze the parameters that it comes from"
    )


@pitfall.explains(
    r"cannot register a hook on a tensor that doesn't require gradient",
    r"can't retain_grad on Tensor that has requires_grad=False",
    odds=0.96,
)
def no_gradient_to_hook(failure: Failure) -> Hits:
    yield failure.hit(
        "the tensor takes no gradient, so there is none to hook into or to keep: requires_grad of what it comes from, or "
        "no_grad around it"
    )


@pitfall.explains(
    r"The \.grad attribute of a Tensor that is not a leaf Tensor is being accessed", odds=0.93
)
def gradient_not_kept(failure: Failure) -> Hits:
    yield failure.hit(
        "the gradient of a result is not kept: y.retain_grad() before backward, or, where a leaf was meant, requires_grad_() last, behind .to() or `* 0.1`"
    )


@pitfall.explains(r"given as 'inputs' to backward is not a leaf", odds=0.95)
def gradients_kept_of_leaves(failure: Failure) -> Hits:
    yield failure.hit(
        "backward(inputs=...) fills .grad of leaves, before PyTorch 1.9 of these alone: torch.autograd.grad gives other gradients"
    )


AFTER = "hooks after accumulation are for parameters, which accumulate: register_hook on a result"
pitfall.answers({"post accumulate grad hooks cannot be registered": AFTER}, odds=0.97)
