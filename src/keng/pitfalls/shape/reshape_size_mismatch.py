r"""A tensor is reshaped to another number of elements.

`view` and `reshape` keep every element, so the product of the new sizes must be the number of elements
there are; one size may be -1 and is computed. A batch size written as a number fails at the last batch,
which is smaller, and a feature count written as a number fails for another input size. NumPy says the same of arrays.

Cure: take the batch from the tensor, `x.view(x.size(0), -1)` or `x.flatten(1)`, and let -1 stand for one
size.

Bad (a batch size as a number):

```python
import torch

batch = torch.ones(5, 2, 4)
flat = batch.view(8, 8)  # seen: `40 elements do not fill (8, 8)`
```

Bad (a size that does not divide):

```python
import torch

pairs = torch.ones(6).reshape(-1, 4)  # seen: `4 does not divide 6`
```

Bad (features of images of another size):

```python
import torch

maps = torch.ones(6, 4, 4, 4)
flat = maps.view(-1, 4 * 5 * 5)  # seen: `has 64 for each of 6, not 100`
```

Bad (the last batch, as an array of NumPy):

```python
import torch

batch_size, classes = 4, 5
out = torch.ones(3, classes)
flat = out.cpu().numpy().reshape(batch_size * classes)  # seen: `smaller than batch_size`
```

Bad (attention between two batches):

```python
import torch
from torch import nn

query, memory = torch.ones(3, 2, 8), torch.ones(4, 3, 8)
y = nn.MultiheadAttention(8, 2)(query, memory, memory)  # seen: `different sizes`
```

Good:

```python
import torch

batch = torch.ones(5, 2, 4)
flat = batch.flatten(1)
pairs = torch.ones(6).reshape(-1, 3)
```

Message (torch 1.0 to 2.13, of larger images; `images of 3 * 224 * 224 where 1 * 28 * 28 are planned`):

```text
RuntimeError: shape '[32, 784]' is invalid for input of size 4816896
```

Message (torch 1.0 to 2.13, of another batch, or other images; `a batch of 128, view(x.size(0), ...), or images of 3 * 64 * 64`):

```text
RuntimeError: shape '[32, 3072]' is invalid for input of size 393216
```

Message (torch 1.0 to 2.13, of a larger batch; `the batch is larger`):

```text
RuntimeError: shape '[32, 10]' is invalid for input of size 640
```

Message (torch 1.0 to 2.13, of a convolution network; `as of other images`):

```text
RuntimeError: shape '[-1, 400]' is invalid for input of size 179776
```

Message (torch 1.8 to 2.13; `[2, 3]`):

```text
RuntimeError: unflatten: Provided sizes [2, 3] don't multiply up to the size of dim 1 (5) in the input tensor
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: only one dimension can be inferred
```

Message (torch 2.13, of a last batch; `where 64 is a batch_size and fewer came`):

```text
RuntimeError: shape '[64, 1, -1]' is invalid for input of size 13328
```

Message (torch 2.13, of numbers that divide nothing; `another length or size`):

```text
RuntimeError: shape '[-1, 3, 50]' is invalid for input of size 13328
```

Message (torch 2.13, of values in one row; `view(-1, 1) takes as many`):

```text
RuntimeError: shape '[393, 1]' is invalid for input of size 384
```

Message (torch 2.13, of coloured images; `images of 3 * 28 * 28 where 1 * 28 * 28 are planned`):

```text
RuntimeError: shape '[64, 784]' is invalid for input of size 150528
```

Message (torch 2.13, of sequences; `of steps that the shape leaves out`):

```text
RuntimeError: shape '[32, 10]' is invalid for input of size 96000
```

Message (torch 2.13, of two branches; `2880 in place of 2820`):

```text
RuntimeError: shape '[1, 128, 2820]' is invalid for input of size 368640
```

Message (torch 2.13, of sizes that are all wrong; `which holds 1000`):

```text
RuntimeError: shape '[10, 10, 10]' is invalid for input of size 1007
```

Message (torch 2.13, of no size; `which holds 0`):

```text
RuntimeError: shape '[0, 8]' is invalid for input of size 6
```

Message (torch 2.13, of maps of an odd size; `maps of 33 x 33`):

```text
RuntimeError: shape '[16, 34, 34, 512]' is invalid for input of size 8921088
```

Message (torch 2.13, of colours; `3 in place of 1`):

```text
RuntimeError: shape '[24, 1, 60, 100]' is invalid for input of size 432000
```

Message (torch 2.13, of rows that are no groups; `58 rows of 4096`):

```text
RuntimeError: shape '[-1, 10, 4096]' is invalid for input of size 237568
```

Message (torch 2.13, of rows that a mask left; `x[mask]`):

```text
RuntimeError: shape '[128, -1]' is invalid for input of size 130
```
"""

import re
from math import prod

from keng.explain.advice.fillings import filled_otherwise, open_otherwise
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?:shape|size) '?\[(?P<shape>[-\dx, ]*)\]'? is invalid for input (?:of size|if size|with) (?P<there>\d+)",
    odds=0.95,
)
def elements_that_do_not_fill(failure: Failure) -> Hits:
    shape = [int(size) for size in failure.groups["shape"].split(",") if size.strip()]
    if any(frame.function == "multi_head_attention_forward" for frame in failure.frames):
        yield failure.hit(
            "query, and key and value, are batches of different sizes: see the second dimension, the first with batch_first=True"
        )
        return
    there = int(failure.groups["there"])
    known = prod(size for size in shape if size != -1)
    given = [o for o in failure.live.operands if prod(o.shape) == there and o.shape]
    fix = None
    if shape == [-1, known] and len(given) == 1:
        each = there // given[0].shape[0]
        says = f"`{given[0].name}` of shape {given[0].shape} has {each} for each of {given[0].shape[0]}, not {known}"
        says += f": {given[0].name}.flatten(1), and the next layer made for {each}"
        if len(given[0].shape) > 2:
            fix = failure.mended("flattened", given[0].name, known, each)
    elif -1 in shape:
        says = (
            f"{known} does not divide {there}, so no size fits for -1{open_otherwise(there, shape)}"
        )
    else:
        what = f"`{given[0].name}` of shape {given[0].shape}: " if len(given) == 1 else ""
        says = (
            f"{what}{there} elements do not fill ({failure.groups['shape']}), which holds {known}"
        )
        says += filled_otherwise(there, shape)
        rest = known // shape[0] if shape and shape[0] > 0 else 0
        if len(given) == 1 and rest > 1 and given[0].shape[0] * rest == there:
            fix = failure.turned(str(shape[0]), f"{given[0].name}.size(0)")
    yield failure.hit(says, fix, elements=there, wanted=known)


TENSORS = re.compile(r"\.(?:cpu|numpy|detach)\(\)|\btorch\.")
BATCH_SIZES = re.compile(r"\b(?:self\.|args\.|opt\.|config\.)?(?:batch_?size|bs|BATCH_?SIZE)\b")


@pitfall.explains(
    r"cannot reshape array of size (?P<there>\d+) into shape \((?P<shape>[\d, ]*)\)", odds=0.9
)
def array_of_a_batch(failure: Failure) -> Hits:
    shape = failure.groups["shape"].strip(" ,")
    wanted = prod(int(size) for size in shape.split(",") if size.strip())
    last = failure.frames[-1].text if failure.frames else failure.around
    shown, there = f"{failure.line}\n{last}", int(failure.groups["there"])
    size = BATCH_SIZES.search(shown)
    if size is not None and TENSORS.search(shown) and there < wanted:
        yield failure.hit(
            f"{there} values do not fill ({shape}): the last batch is smaller than `{size[0]}`, so len(x) in its place, or drop_last=True"
        )


@pitfall.explains(
    r"unflatten: Provided sizes (?P<sizes>\[[-\d, ]*\]) don't multiply up to the size of dim",
    r"only one dimension can be inferred",
    odds=0.95,
)
def not_of_these_sizes(failure: Failure) -> Hits:
    sizes = failure.groups.get("sizes")
    yield failure.hit(
        f"the sizes {sizes} do not multiply up" if sizes else "more than one size is -1"
    )
