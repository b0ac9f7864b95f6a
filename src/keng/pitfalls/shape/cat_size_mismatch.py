r"""Tensors to be joined differ in another dimension.

`torch.cat` joins along one dimension; in all others the sizes must be equal. In an encoder and decoder
with skips an odd size, halved and doubled again, comes back smaller by one: 13 becomes 6, and 6 becomes 12.
Elsewhere it is a state made for a full batch that meets the smaller last one.

Cure: inputs whose sizes the whole stride divides, or pad or crop one side before joining; make a state for
the batch that came, or `drop_last=True`.

Bad (a skip connection):

```python
import torch
from torch import nn

down, up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2)
skip = torch.zeros(1, 8, 13, 13)
x = up(down(skip))
joined = torch.cat([x, skip], dim=1)  # seen: 12 x 12 and 13 x 13
```

Bad (a state for a full batch):

```python
import torch
from torch.utils.data import DataLoader

state = torch.zeros(4, 2)
for x in DataLoader(torch.zeros(6, 3), batch_size=4):
    step = torch.cat([x, state], dim=1)  # seen: the last batch has two samples
```

Bad (a dimension less):

```python
import torch

features, age = torch.zeros(4, 3), torch.zeros(4)
x = torch.cat([features, age], dim=1)  # seen: `age.unsqueeze(1)`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

down, up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2)
skip = torch.zeros(1, 8, 13, 13)
x = F.interpolate(down(skip), size=skip.shape[-2:])
joined = torch.cat([x, skip], dim=1)
for x in DataLoader(torch.zeros(6, 3), batch_size=4):
    state = torch.zeros(len(x), 2)
    step = torch.cat([x, state], dim=1)
features, age = torch.zeros(4, 3), torch.zeros(4)
x = torch.cat([features, age.unsqueeze(1)], dim=1)
```

Message (torch 1.4, CUDA):

```text
RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 1. Got 26 and 27 in dimension 3 at /opt/conda/conda-bld/pytorch_1579022034529/work/aten/src/THC/generic/THCTensorMath.cu:71
```

Message (torch 2.13.0, CPU):

```text
RuntimeError: Sizes of tensors must match except in dimension 2. Expected size 14 but got size 13 for tensor number 1 in the list.
```

Message (torch 1.0 to 2.13; `torch.stack`):

```text
RuntimeError: zero-dimensional tensor (at position 0) cannot be concatenated
```

Message (torch 1.7 to 1.9):

```text
RuntimeError: Sizes of tensors must match except in dimension 2. Got 70 and 71 (The offending index is 0)
```

Message (torch 1.10 to 2.13, of one thing beside two; `repeat it to 2`):

```text
  File "/home/u/model.py", line 368, in get_logits
    emb = torch.cat([conditioning, first, second], dim=1)
RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 1 but got size 2 for tensor number 2 in the list.
```

Message (torch 1.10 to 2.13, with the shapes as they were printed; `img.permute(0, 3, 1, 2)`):

```text
RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 256 but got size 3 for tensor number 1 in the list.

img: torch.Size([64, 256, 256, 3]) mask: torch.Size([64, 1, 256, 256])
```

Message (torch 1.10 to 2.13, images of two layouts; `second in the other`):

```text
RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 224 but got size 3 for tensor number 1 in the list.
```

Message (torch 1.7 to 1.9, edges; `turned round`):

```text
RuntimeError: Sizes of tensors must match except in dimension 0. Got 2 and 651997 (The offending index is 0)
```

Message (torch 1.0 to 1.9, a clip that squeeze has left its time; `x_3d.mean(2)`):

```text
  File "model.py", line 87, in forward
    x = torch.cat((x_3d, x_2d), dim=1)
RuntimeError: invalid argument 0: Tensors must have same number of dimensions: got 4 and 5 at /opt/conda/conda-bld/pytorch_1579040055865/work/aten/src/THC/generic/THCTensorMath.cu:62
```

Message (torch 1.0 to 2.13; `one too many`):

```text
RuntimeError: Tensors must have same number of dimensions: got 3 and 2
```

Message (what is left of it in a title):

```text
Sizes of tensors must match except in dimension 1
```

Message (torch 2.13, what people quote of it; `14 and 13`):

```text
Expected size 14 but got size 13
```

Message (torch 1.0 to 1.9, of a smaller batch; `drop_last=True`):

```text
RuntimeError: Sizes of tensors must match except in dimension 1. Got 64 and 17 in dimension 0 at /pytorch/aten/src/TH/generic/THTensor.cpp:689
```

Message (torch 2.13, of an image with its alpha channel; `convert('RGB')`):

```text
RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 2 in the list.
```

Message (torch 2.13, of an image of another size; `resize images`):

```text
RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 240000 but got size 1024 for tensor number 1 in the list.
```

Message (torch 1.0 to 1.9, of maps that were halved and doubled more often; `a multiple of 32; else`):

```text
RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 1. Got 26 and 24 in dimension 2 at /pytorch/aten/src/THC/generic/THCTensorMath.cu:71
```

Message (torch 2.13, of features of two models; `widths of two models`):

```text
RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 768 but got size 1024 for tensor number 1 in the list.
```
"""

from keng.explain.advice.dimensions import lacking
from keng.explain.advice.fits import brought_to_one_size
from keng.explain.advice.joined import cure_of_dimensions, cure_of_sizes
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Sizes of tensors must match except in dimension (?P<dim>\d+)\. "
    r"(?:Expected size (?P<one>\d+) but got size (?P<other>\d+) for tensor number (?P<number>\d+)|"
    r"Got (?P<first>\d+) and (?P<second>\d+) (?:in dimension (?P<at>\d))?)",
    odds=0.75,
)
def sizes_differ(failure: Failure) -> Hits:
    groups, there = failure.groups, failure.live.operands
    one, other = int(groups["one"] or groups["first"]), int(groups["other"] or groups["second"])
    says = f"sizes {one} and {other} meet in a dimension that is not joined"
    if len(there) > 1:
        says = " and ".join(f"`{operand.name}` has the shape {operand.shape}" for operand in there)
    same_tail = len(there) == 2 and there[0].shape[2:] == there[1].shape[2:]
    if same_tail and groups["dim"] != "0" and there[0].shape[0] != there[1].shape[0]:
        cure = "make both for the batch that came, or drop_last=True where the last one is smaller"
    else:
        cure = cure_of_sizes(failure, one, other, groups["dim"], groups["at"] or "")
    # Up to torch 1.4 stack joined too, along a dimension of its own: there it was most often a batch.
    stacked = groups["dim"] == "0" and bool(groups["first"])
    fix = brought_to_one_size(failure) if cure.startswith("as when") else None
    yield failure.hit(f"{says}: {cure}", fix, sure=not stacked, one=one, other=other)


@pitfall.explains(
    r"[Ss]izes of tensors must match except in dimension \d+(?!\d|\. (?:Expected|Got) )", odds=0.75
)
def sizes_without_their_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        "sizes differ in a dimension that is not joined: resize images, pad sequences, or make both for one batch, before"
    )


@pitfall.explains(
    r"Tensors must have same number of dimensions: got (?P<one>\d+) and (?P<other>\d+)", odds=0.9
)
def dimensions_differ(failure: Failure) -> Hits:
    one, other = int(failure.groups["one"]), int(failure.groups["other"])
    there = failure.live.operands
    small = [o for o in there if len(o.shape) == min(one, other)]
    name = small[0].name if len(small) == 1 else "x"
    large = {o.shape for o in there if len(o.shape) == min(one, other) + 1}
    missing = [
        str(n)
        for shape in large
        for n in (lacking(small[0].shape, shape) if len(large) == len(small) == 1 else ())
    ]
    says, fix = f"tensors of {one} and {other} dimensions are joined", None
    cure = cure_of_dimensions(failure, one, other)
    if len(missing) == 1:
        cure = f"{name}.unsqueeze({missing[0]}) gives the smaller one what it lacks"
        fix = failure.turned(name, f"{{}}.unsqueeze({missing[0]})")
    yield failure.hit(f"{says}: {cure}", fix)


@pitfall.explains(r"zero-dimensional tensor \(at position \d+\) cannot be concatenated", odds=0.95)
def numbers(failure: Failure) -> Hits:
    yield failure.hit(
        "torch.cat joins tensors of one dimension at least: torch.stack for single numbers"
    )


@pitfall.explains(
    r"(?<!\. )Expected size (?P<one>\d+) but got size (?P<other>\d+)(?! for tensor)", odds=0.6
)
def quoted_in_part(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"sizes {one} and {other} meet in a dimension that is not joined: {cure_of_sizes(failure, int(one), int(other))}"
    )
