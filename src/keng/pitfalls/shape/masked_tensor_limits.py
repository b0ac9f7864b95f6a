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

Bad (a reduction with more):

```python
import torch
from torch.masked import masked_tensor

x = masked_tensor(torch.rand(2), torch.tensor([True, False]))
y = torch.round(x, decimals=2)  # seen: `to_tensor()`
```

Bad (a mask of more dimensions):

```python
import torch

mask = torch.ones(2, 3, 4, dtype=torch.bool)
mean = torch.masked.mean(torch.rand(2, 3), 1, mask=mask)  # seen: `dimensions`
```

Bad (a sparse tensor):

```python
import torch

edges = torch.eye(3).to_sparse()
weights = torch.masked.softmax(edges, 1)  # seen: `sparse_coo`
```

Message (torch 1.13 to 2.13; `sparse_csr`):

```text
ValueError: masked prod expects explicit mask for sparse_csr tensor input
```

Message (torch 1.13 to 2.13; `one layout`):

```text
TypeError: data and mask must have the same layout.
```

Message (torch 1.13 to 2.13; `one place`):

```text
ValueError: sparse_coo indices must match. If you need support for this, please open an issue on Github.
```

Message (torch 2.13; `mask.shape`):

```text
AssertionError: mask.shape must match input.shape: torch.Size([4, 3]) vs torch.Size([3, 4])
```

Message (torch 1.13 to 2.13; `size`):

```text
ValueError: data.size() must equal mask.size()
```

Message (torch 1.13 to 2.13; `as_masked_tensor`):

```text
UserWarning: It is not recommended to create a MaskedTensor with a tensor that requires_grad. To avoid this, you can use data.detach().clone()
```
"""

from keng.explain.failure import Failure
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


@pitfall.explains(
    r"\bmasked (?P<op>[\w/]{2,20}) expects [\w, ]{5,50} tensors? \(got (?:torch\.)?(?P<layout>\w+) tensor",
    odds=0.97,
)
def of_a_layout(failure: Failure) -> Hits:
    op, layout = failure.groups["op"], failure.groups["layout"]
    yield failure.hit(f"torch.masked.{op} knows no {layout}: x.to_dense(), with a mask")


@pitfall.explains(
    r"\bmasked (?P<op>\w{2,20}) expects explicit mask for (?P<layout>\w+) tensor input", odds=0.97
)
def without_a_mask(failure: Failure) -> Hits:
    op, layout = failure.groups["op"], failure.groups["layout"]
    yield failure.hit(
        f"what a {layout} tensor leaves out is no zero to torch.masked.{op}: mask= says which count"
    )


MORE = "a masked tensor computes without further keywords and tensors: on the data, or after to_tensor()"
pitfall.answers(
    {
        "MaskedTensor unary ops": MORE,
        "MaskedTensor binary ops": MORE,
        "indices must match. If you need support": "two sparse masked tensors have values in other places: one place for each in both",
        "not recommended to create a MaskedTensor with a tensor that": "masked_tensor(x, mask) is a leaf of its own, and no gradient goes back to x: as_masked_tensor(x, mask) where it is to",
        "data and mask must have the same layout": "data and mask are of one layout: mask.to_sparse() beside sparse data",
        "do not have the same indices": "the sparse mask has its values in other places than the data: make both of one set of indices",
        "expected broadcastable mask (got mask dimensionality higher": "the mask has more dimensions than the tensor: as many, or fewer",
        "mask.shape must match input.shape": "mask and tensor are sparse, and differ in shape: mask.shape has to be that of the tensor",
        "masked median expects no fully masked out rows": "a row is masked out, and whole numbers have no NaN to stand for its median: x.float()",
        "mask must have dtype bool.": "the mask of a masked tensor is bool: mask.bool(), or a comparison",
        "data.size() must equal mask.size()": "the mask has another size than the data: mask.expand_as(data)",
        "data.dim() must equal mask.dim()": "the mask has another number of dimensions than the data: mask.expand_as(data)",
    },
    odds=0.95,
)
