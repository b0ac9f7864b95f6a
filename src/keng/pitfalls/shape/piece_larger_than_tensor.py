r"""More is taken out of a tensor than is in it.

`topk`, `narrow`, `unfold`, `split` with sizes and `multinomial` without replacement take a number of elements that must be there.
With a fixed number the last batch, a short text or a task of fewer classes is too small: top 5 of three
classes.

Cure: `min(k, x.size(dim))`; sizes of `split` that add up; `replacement=True`, or fewer samples.

Bad (the best five of three classes):

```python
import torch

scores = torch.ones(8, 3)
best = scores.topk(5, dim=1)  # seen: `fewer than k`
```

Bad (a window):

```python
import torch

x = torch.ones(5)
window = x.narrow(0, 2, 4)  # seen: `4`
```

Bad (sizes that do not add up):

```python
import torch

q, k, v = torch.ones(10).split([4, 4, 4])  # seen: `10`
```

Bad (drawn without replacement):

```python
import torch

drawn = torch.multinomial(torch.ones(3), 5)  # seen: `replacement`
```

Bad (frames):

```python
import torch

frames = torch.ones(100).unfold(0, 400, 160)  # seen: `400`
```

Good:

```python
import torch

scores = torch.ones(8, 3)
best = scores.topk(min(5, scores.size(1)), dim=1)
q, k, v = torch.ones(12).split([4, 4, 4])
drawn = torch.multinomial(torch.ones(3), 5, replacement=True)
```

Message (torch 1.0 to 1.4; `fewer than k`):

```text
RuntimeError: invalid argument 5: k not in range for dimension at /pytorch/aten/src/THC/generic/THCTensorTopK.cu:23
```

Message (torchvision; `(200, 200)`):

```text
ValueError: Required crop size (224, 224) is larger than input image size (200, 200)
```

Message (torch 2.13; `from 11 on`):

```text
IndexError: start out of range (expected to be in range of [-10, 10], but got 11)
```

Message (torch 2.13, of as_strided; `68 bytes`):

```text
RuntimeError: setStorage: sizes [9, 9], strides [1, 1], storage offset 0, and itemsize 4 requiring a storage size of 68 are out of bounds for storage of size 48
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"selected (?:index|number) k out of range", r"k not in range for dimension", odds=0.95
)
def fewer_than_k(failure: Failure) -> Hits:
    yield failure.hit(
        "the tensor has fewer than k elements along dim, as for a top 5 of 3 classes: min(k, x.size(dim))"
    )


@pitfall.explains(
    r"start \((?P<start>-?\d+)\) \+ length \((?P<length>-?\d+)\) exceeds dimension size \((?P<size>\d+)\)",
    odds=0.95,
)
def window(failure: Failure) -> Hits:
    start, length, size = (failure.groups[key] for key in ("start", "length", "size"))
    yield failure.hit(f"{length} elements from {start} on are asked for, and there are {size}")


@pitfall.explains(
    r"split_sizes to sum exactly to (?P<size>\d+) \(input tensor's size at dimension (?P<dim>-?\d+)\), but got "
    r"split_sizes=\[(?P<sizes>[\d, ]*)\]",
    odds=0.96,
)
def sizes_of_a_split(failure: Failure) -> Hits:
    size, dim, sizes = (failure.groups[key] for key in ("size", "dim", "sizes"))
    total = sum(int(each) for each in sizes.split(",") if each.strip())
    yield failure.hit(f"the sizes [{sizes}] are {total} together, and dimension {dim} has {size}")


@pitfall.explains(
    r"cannot sample n_sample > prob_dist\.size\(-1\) samples without replacement", odds=0.95
)
def drawn(failure: Failure) -> Hits:
    yield failure.hit("more is drawn than there are entries: replacement=True, or fewer samples")


@pitfall.explains(
    r"requiring a storage size of (?P<wants>\d+) are out of bounds for storage of size (?P<there>[1-9]\d*)",
    odds=0.93,
)
def beyond_its_memory(failure: Failure) -> Hits:
    wants, there = failure.groups["wants"], failure.groups["there"]
    yield failure.hit(
        f"sizes and strides reach {wants} bytes far, and the memory has {there}: both count elements of this tensor"
    )


@pitfall.explains(
    r"maximum size for tensor at dimension (?P<dim>-?\d+) is (?P<size>\d+) but size is (?P<wants>\d+)",
    odds=0.95,
)
def frames(failure: Failure) -> Hits:
    dim, size, wants = (failure.groups[key] for key in ("dim", "size", "wants"))
    says = f"pieces of {wants} are asked for, and dimension {dim} has {size}"
    yield failure.hit(f"{says}: F.pad before it, or smaller pieces")


@pitfall.explains(
    r"Required crop size \((?P<wants>\d+, \d+)\) is larger th[ae]n input image size \((?P<came>\d+, \d+)\)",
    odds=0.96,
)
def crop(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"a crop of ({wants}) is asked of an image of ({came}): Resize before it, or pad_if_needed=True"
    )


@pitfall.explains(
    r"start out of range \(expected to be in range of \[-?\d+, (?P<size>\d+)\], but got (?P<start>-?\d+)\)",
    odds=0.95,
)
def begins_outside(failure: Failure) -> Hits:
    start, size = failure.groups["start"], failure.groups["size"]
    yield failure.hit(f"a piece from {start} on is asked for, and there are {size}")
