r"""A shape is unpacked into another number of names than the tensor has dimensions.

`b, c, h, w = x.shape` says that there are four dimensions. A sample without its batch, a grey image without channels, a tensor
that `squeeze()` has taken a dimension of 1 from, or a mask has fewer; Python then speaks of values to unpack and not of
tensors.

Cure: `x.unsqueeze(0)` where the batch is missing, `squeeze(dim)` and never bare `squeeze()`; `*rest, h, w = x.shape` where the
number of dimensions may differ.

Bad:

```python
import torch
from torch import nn


class Pooled(nn.Module):
    def forward(self, x):
        b, c, h, w = x.shape  # seen: `x` has 3 dimensions
        return x.reshape(b, c, h * w).mean(2)


Pooled()(torch.ones(3, 8, 8))
```

Bad (a dimension too many):

```python
import torch
from torch import nn


class Flat(nn.Module):
    def forward(self, hidden):
        rows, columns = hidden.size()  # seen: and 2 are unpacked
        return hidden.sum() / rows


Flat()(torch.ones(2, 3, 4))
```

Good:

```python
import torch
from torch import nn


class Pooled(nn.Module):
    def forward(self, x):
        b, c, h, w = x.shape
        return x.reshape(b, c, h * w).mean(2)


Pooled()(torch.ones(3, 8, 8).unsqueeze(0))
```

Fine (the rest in one name):

```python
import torch

*rest, h, w = torch.ones(3, 8, 8).shape
```

Message (torch 1.0 to 2.13, from a notebook; 3 dimensions):

```text
---> 66         b, c, h, w = x.size()

ValueError: not enough values to unpack (expected 4, got 3)
```

Message (transformers, a batch with one dimension too many; `pixel_values`):

```text
  File "/env/lib/python3.7/site-packages/transformers/models/vit/modeling_vit.py", line 117, in forward
    batch_size, num_channels, height, width = pixel_values.shape
ValueError: too many values to unpack (expected 4)
```
"""

import re

from keng.explain.advice.fits import unpacked_along_another
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

UNPACKED = re.compile(
    r"\(?[\w, ]{3,120}\)? = (?P<of>\w[\w.()\[\], :-]{0,80})\.(?P<how>shape|size\(\))(?:[ \t]*#.*)?$"
)

MISSING = "; a batch or channel is missing, unsqueeze(0)"
TOO_MANY = "; squeeze(1), as a processor gives each image or text a batch of one"
LIBRARIES = re.compile(r"/(?:transformers/models|timm/models|diffusers/models|torchvision/models)/")
"""Where their models are, whose forwards take tensors."""


@pitfall.explains(
    r"(?:not enough|too many) values to unpack \(expected (?P<wants>\d+)(?:, got (?P<came>\d+))?\)",
    odds=0.95,
)
def other_dimensions(failure: Failure) -> Hits:
    if (known := unpacked_along_another(failure)) is not None:
        yield failure.hit(*known)
        return
    inside = _of_a_model(failure)
    line = inside or failure.line
    pasted = [line] if line else failure.around.splitlines()
    found = next((m for line in pasted if (m := UNPACKED.match(line.strip()))), None)
    there = [o for o in failure.live.operands if found is not None and o.name == found["of"]]
    if found is None or not (inside or there or _is_of_tensor(failure, found["of"], found["how"])):
        return  # an array has a shape too
    wants, came = int(failure.groups["wants"]), failure.groups["came"]
    shape = f": its shape is {there[0].shape}" if there else ""
    has = str(len(there[0].shape)) if there else came or "more"
    plural = "" if has == "1" else "s"
    says = f"`{found['of']}` has {has} dimension{plural}, and {wants} are unpacked{shape}"
    cure = MISSING if has.isdigit() and int(has) == wants - 1 else ""
    yield failure.hit(f"{says}{TOO_MANY if inside and has == 'more' else cure}")


def _of_a_model(failure: Failure) -> str:
    """The line that failed in the forward of a library's model."""
    last = failure.frames[-1] if failure.frames else None
    called = last is not None and not last.user and last.function.startswith("forward")
    models = called and LIBRARIES.search(failure.raised_in) is not None
    return last.text if last is not None and models else ""


def _is_of_tensor(failure: Failure, text: str, how: str) -> bool:
    """Whether it is made from a tensor that is known, or stands in a forward."""
    if how == "size()":
        return True  # of an array it is a number
    begins = (rf"{re.escape(o.name)}[.\[]" for o in failure.live.operands)
    if any(re.match(each, text) for each in begins) and "numpy" not in text:
        return True
    return failure.in_forward or (bool(failure.around) and failure.written_for_torch)
