r"""A function for real numbers gets complex ones, or two columns that are not two.

Complex numbers have no order, so nothing that compares knows them: `relu`, `clamp`, `max`. Backward starts from one real number. A copy into
real numbers drops the imaginary part with a warning. `torch.view_as_complex` takes pairs of floats: its last dimension is 2.

Cure: `z.abs()` or `z.abs() ** 2` for a loss; `torch.view_as_real(z)` for layers, two channels instead of one; `z.real` where the real part is
meant.

Bad (a loss that is complex):

```python
import torch

z = torch.ones(2, dtype=torch.cfloat, requires_grad=True)
z.sum().backward()  # seen: `abs()`
```

Bad (an activation):

```python
import torch
import torch.nn.functional as F

y = F.relu(torch.ones(2, dtype=torch.cfloat))  # seen: `clamp`
```

Bad (not two columns):

```python
import torch

z = torch.view_as_complex(torch.ones(4))  # seen: `last dimension`
```

Good:

```python
import torch
import torch.nn.functional as F

z = torch.ones(2, dtype=torch.cfloat, requires_grad=True)
z.abs().sum().backward()
y = F.relu(z.real)
pairs = torch.view_as_complex(torch.ones(4).reshape(2, 2))
```

Message (torch 2.13; `imaginary`):

```text
UserWarning: Casting complex values to real discards the imaginary part (Triggered internally at ../aten/src/ATen/native/Copy.cpp:250.)
```

Message (torch 2.13; `floats`):

```text
RuntimeError: view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: Long
```

Message (torch 1.7 to 2.13; `contiguous()`):

```text
RuntimeError: Tensor must have a stride divisible by 2 for all but last dimension
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"grad can be implicitly created only for real scalar outputs", odds=0.97)
def loss_is_complex(failure: Failure) -> Hits:
    yield failure.hit(
        "the loss is complex, and backward starts from a real number: loss.abs(), or loss.real"
    )


@pitfall.explains(
    r"\b(?P<op>\w{2,40})(?:\(\):| on CPU)? (?:is not supported for|does not support) complex(?: (?:d?type|input|tensor|number)|[.,]?$)",
    odds=0.95,
)
def without_an_order(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} knows no complex numbers, as these have no order: z.abs(), or z.real and z.imag by themselves"
    )


@pitfall.explains(r"Casting complex values to real discards the imaginary part", odds=0.96)
def half_of_it_dropped(failure: Failure) -> Hits:
    yield failure.hit(
        "the imaginary part is dropped on the way into real numbers: z.real says so, z.abs() keeps the size"
    )


@pitfall.explains(r"Tensor must have a last dimension of size 2", odds=0.95)
def no_pairs(failure: Failure) -> Hits:
    yield failure.hit(
        "the last dimension is not 2, real and imaginary part: x.reshape(*x.shape[:-1], -1, 2)"
    )


@pitfall.explains(
    r"view_as_complex is only supported for .{3,60}, but got a tensor of scalar type: (?P<came>\w+)",
    odds=0.96,
)
def no_floats(failure: Failure) -> Hits:
    yield failure.hit(
        f"pairs of floats make complex numbers, and these are {failure.groups['came']}: x.float()"
    )


pitfall.answers(
    {
        "torch.sign is not intended to support complex numbers": "a complex number has no sign: torch.sgn for its direction, z.real.sign() for one part",
        "view_as_real doesn't work on unresolved conjugated tensors": "a conjugate is only noted until it is needed: z.resolve_conj() before view_as_real",
        "Tensor must have a stride divisible by 2": "the two columns of a complex number lie side by side in memory: x.contiguous() first",
        "Tensor must have a last dimension with stride 1": "the two columns of a complex number lie side by side in memory: x.contiguous() first",
    },
    odds=0.96,
)
