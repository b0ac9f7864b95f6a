r"""A batched matrix product gets matrices that do not fit.

`torch.bmm(a, b)` takes two tensors of exactly three dimensions, (batch, n, m) and (batch, m, p): the
batches are equal, and the columns of each `a` are as many as the rows of its `b`. Unlike `@` it neither
adds a batch dimension nor repeats one.

Cure: transpose the last two dimensions of one side where they are the wrong way round, `b.mT`, or write
`a @ b`, which also takes fewer dimensions.

Bad:

```python
import torch

queries, keys = torch.ones(2, 5, 8), torch.ones(2, 6, 8)
scores = torch.bmm(queries, keys)  # seen: `keys.mT`
```

Bad (a matrix without a batch):

```python
import torch

a, b = torch.ones(5, 8), torch.ones(8, 6)
product = torch.bmm(a, b)  # seen: two dimensions
```

Good:

```python
import torch

queries, keys = torch.ones(2, 5, 8), torch.ones(2, 6, 8)
scores = torch.bmm(queries, keys.mT)
product = torch.ones(5, 8) @ torch.ones(8, 6)
```

Message (torch 0.3 to 1.4):

```text
RuntimeError: invalid argument 6: wrong matrix size at /pytorch/aten/src/THC/generic/THCTensorMathBlas.cu:499
```

Message (an older torch; `first`):

```text
RuntimeError: Expected 3-dimensional tensor, but got 4-dimensional tensor for argument #1 'batch1' (while checking arguments for bmm)
```

Message (an older torch; `64 columns meet 32 rows`):

```text
RuntimeError: Expected tensor to have size 64 at dimension 1, but got size 32 for argument #2 'batch2' (while checking arguments for bmm)
```

Message (torch 1.5 to 1.7; `do not fit`):

```text
RuntimeError: Expected batch2_sizes[0] == bs && batch2_sizes[1] == contraction_size to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)
```

Message (torch 0.1 to 1.1):

```text
RuntimeError: invalid argument 2: wrong matrix size, batch1: 10x20, batch2: 30x40 at /pytorch/torch/lib/TH/generic/THTensorMath.c:1500
```

Message (torch 2.13, of attention; `8 times as many`):

```text
RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [64, 32] but got: [8, 32].
```

Message (torch 2.13, of a batch of one; `a @ b stretches`):

```text
RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [1, 4].
```

Message (torch 2.13, of features; `features of one size`):

```text
RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [64, 32] but got: [64, 48].
```

Message (torch 2.13; `the batch that came`):

```text
RuntimeError: batch1 and batch2 must have same number of batches, got 2 and 3
```

Message (torch 2.13; `4 columns meet 3 rows`):

```text
RuntimeError: Incompatible matrix sizes for bmm (3x4 and 3x5)
```
"""

from keng.explain.advice.matrices import batches_apart, rows_apart
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_messages import BATCHES

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.says(BATCHES, odds=0.93)


@pitfall.explains(
    r"Expected size for first two dimensions of batch2 tensor to be: \[(?P<batch>\d+), (?P<rows>\d+)\] but "
    r"got: \[(?P<came>\d+), (?P<has>\d+)\]",
    odds=0.9,
)
def rows_that_differ(failure: Failure) -> Hits:
    groups, there = failure.groups, failure.live.operands
    name = there[1].name if len(there) == 2 else "the second"
    if groups["batch"] != groups["came"]:
        yield failure.hit(batches_apart(int(groups["batch"]), int(groups["came"])))
    elif len(there) == 2 and str(there[1].shape[-1]) == groups["rows"]:
        says = f"{groups['rows']} columns meet {groups['has']} rows of {name}"
        yield failure.hit(f"{says}: {name}.mT has {groups['rows']}")
    else:
        yield failure.hit(rows_apart(groups["rows"], groups["has"], name))


@pitfall.explains(
    r"batch(?P<which>[12]) must be a 3D tensor",
    r"Expected 3-dimensional tensor, but got \d-dimensional tensor for argument #\d 'batch(?P<which>[12])'",
    odds=0.9,
)
def without_a_batch(failure: Failure) -> Hits:
    which, there = int(failure.groups["which"]), failure.live.operands
    what = f"the {'first' if which == 1 else 'second'}"
    flat = [each for each in there if len(each.shape) == 2]
    solid = [each for each in there if len(each.shape) == 3]
    fix = None
    if len(flat) == len(solid) == 1:
        what = f"`{flat[0].name}` of shape {flat[0].shape}"
        fits = which == 2 and flat[0].shape == (solid[0].shape[0], solid[0].shape[2])
        fix = failure.turned(flat[0].name, "{}.unsqueeze(2)") if fits else None
    yield failure.hit(
        f"{what} has no three dimensions: `a @ b` takes matrices, batched or not", fix
    )


@pitfall.explains(
    r"Expected tensor to have size (?P<wants>\d+) at dimension (?P<dim>[012]), but got size (?P<came>\d+) for argument "
    r"#2 'batch2'",
    odds=0.9,
)
def sizes_that_differ(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    if failure.groups["dim"] == "0":
        yield failure.hit(batches_apart(int(wants), int(came)))
    else:
        yield failure.hit(rows_apart(wants, came, "the second"))


@pitfall.explains(
    r"batch1 and batch2 must have same number of batches, got (?P<one>\d+) and (?P<other>\d+)",
    r"Incompatible matrix sizes for bmm \(\d+x(?P<one>\d+) and (?P<other>\d+)x\d+\)",
    odds=0.95,
)
def sizes_of_a_sum(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    if "number of batches" in failure.message:
        yield failure.hit(batches_apart(int(one), int(other)))
    else:
        yield failure.hit(rows_apart(one, other, "the second"))


@pitfall.explains(
    r"wrong matrix size at \S{0,300}TH|Expected batch2_sizes\[0\] == bs && batch2_sizes\[1\] ==",
    odds=0.85,
)
def in_old_words(failure: Failure) -> Hits:
    yield failure.hit(
        "the matrices of a batched product do not fit: (b, n, m) and (b, m, p) are wanted"
    )
