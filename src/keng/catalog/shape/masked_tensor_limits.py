r"""A masked tensor is asked for what it cannot do.

`torch.masked` is a prototype that is no longer worked on. A masked tensor knows elementwise functions, sums and a few others; layers, losses, `max`, `sort`
and products of matrices are refused, by words that name the operator of ATen and not the line. Two masked tensors go together only with the same mask. The
mask itself is a bool tensor of the size of its data, and the two are not moved together.

Cure: for one reduction `torch.masked.mean(x, dim, mask=mask)` and the like, which take plain tensors; else `torch.where` or `x[mask]`; `masked.to_tensor(0)`
goes back to a plain tensor before layers and losses.

Bad:

```python
import torch
import torch.nn.functional as F
from torch.masked import masked_tensor

x = masked_tensor(torch.rand(2, 3), torch.tensor([[True, False, True]] * 2))
F.mse_loss(x, torch.rand(2, 3))  # seen: mse_loss
```

Good:

```python
import torch
import torch.nn.functional as F

x, target = torch.rand(2, 3), torch.rand(2, 3)
mask = torch.tensor([[True, False, True]] * 2)
loss = F.mse_loss(x[mask], target[mask])
```

Bad (two masks):

```python
import torch
from torch.masked import masked_tensor

x = masked_tensor(torch.rand(2), torch.tensor([True, False]))
y = masked_tensor(torch.rand(2), torch.tensor([True, True]))
z = x + y  # seen: masks
```

Bad (a mask of numbers):

```python
import torch
from torch.masked import masked_tensor

x = masked_tensor(torch.rand(2), torch.ones(2))  # seen: bool
```

Message (torch 1.13 to 2.9; `max`):

```text
TypeError: no implementation found for 'torch._ops.aten.max.default' on types that implement __torch_dispatch__: [<class 'torch.masked.maskedtensor.core.MaskedTensor'>]
```

Message (torch 1.13 to 2.13; `max`):

```text
/env/lib/python3.8/site-packages/torch/masked/maskedtensor/core.py:299: UserWarning: max is not implemented in __torch_dispatch__ for MaskedTensor.
```

Message (torch 1.13 to 2.13; `torch.complex64`):

```text
TypeError: torch.complex64 is not supported in MaskedTensor.
```

Message (torch 1.13 to 2.13; `size`):

```text
ValueError: data.size() must equal mask.size()
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"'torch\._ops\.\w{1,20}\.(?P<op>\w{1,60})\.\w{1,40}'.{0,300}?MaskedTensor",
    r"\b(?P<op>\w{1,60}) is not implemented in __torch_dispatch__ for MaskedTensor",
    odds=0.96,
)
def operator_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"masked tensors have no `{failure.groups['op']}`: torch.masked's functions on plain tensors, x[mask], or to_tensor() before it"
    )


@pitfall.explains(r"Input masks must match\. If you need", odds=0.96)
def masks_differ(failure: Failure) -> Hits:
    yield failure.hit(
        "two masked tensors have different masks: give both the one that is meant, as mask1 & mask2"
    )


@pitfall.explains(r"(?P<what>torch\.\w{1,40}) is not supported in MaskedTensor", odds=0.96)
def dtype_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"a masked tensor holds no {failure.groups['what']}: float16 to float64, whole numbers, or bool"
    )


pitfall.answers(
    {
        "mask must have dtype bool.": "the mask of a masked tensor is bool: mask.bool(), or a comparison",
        "data.size() must equal mask.size()": "the mask has another size than the data: mask.expand_as(data)",
        "data.dim() must equal mask.dim()": "the mask has another number of dimensions than the data: mask.expand_as(data)",
    },
    odds=0.95,
)
