r"""A gradient, a difference or a covariance of numbers gets steps, ends or weights that do not fit.

`torch.gradient` looks at neighbours, so each dimension needs two numbers at least, three with `edge_order=2`; its `spacing` is one step for all, or one
for each dimension that is named. `diff` joins `prepend` and `append` to its input, which therefore have its sizes but for the dimension that is joined. `cov`
takes rows as variables and columns as observations, with one weight for each observation.

Cure: print the shapes; `dim=` for the dimensions that are meant; `x.T` where observations stand in rows, as they do in a batch.

Bad (too few to look at):

```python
import torch

slope = torch.gradient(torch.ones(1))  # seen: `edge_order + 1`
```

Bad (steps of other dimensions):

```python
import torch

slope = torch.gradient(torch.ones(2, 4), spacing=(1.0, 2.0, 3.0))  # seen: `3 steps`
```

Bad (an order that is none):

```python
import torch

slope = torch.gradient(torch.ones(4), edge_order=3)  # seen: `1 or 2`
```

Bad (what is put before):

```python
import torch

step = torch.diff(torch.ones(2, 4), prepend=torch.ones(3, 1))  # seen: `3 in dimension 0`
```

Bad (what has fewer dimensions):

```python
import torch

step = torch.diff(torch.ones(2, 4), prepend=torch.zeros(1))  # seen: `new_zeros`
```

Bad (a single number):

```python
import torch

step = torch.diff(torch.tensor(1.0))  # seen: `dimension`
```

Bad (weights of others):

```python
import torch

spread = torch.cov(torch.ones(2, 4), fweights=torch.ones(2, dtype=torch.long))  # seen: `2 weights`
```

Good:

```python
import torch

slope = torch.gradient(torch.ones(2, 4), spacing=(1.0, 2.0))
x = torch.ones(2, 4)
step = torch.diff(x, prepend=x.new_zeros(2, 1))
spread = torch.cov(x, fweights=torch.ones(4, dtype=torch.long))
```

Message (torch 2.13; `dim=`):

```text
RuntimeError: trapezoid: There must be one `x` value for each sample point
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"torch\.gradient expected spacing to be unspecified, .{40,130} but got a (?:spacing argument|list) of length (?P<came>\d+)",
    odds=0.97,
)
def steps_of_others(failure: Failure) -> Hits:
    yield failure.hit(
        f"spacing has {failure.groups['came']} steps: one number for all dimensions, or one for each that is named in dim="
    )


@pitfall.explains(
    r"input\.size\((?P<dim>\d+)\) = (?P<there>\d+), but got tensor\.size\(\d+\) = (?P<came>\d+)",
    odds=0.97,
)
def ends_of_others(failure: Failure) -> Hits:
    dim, there, came = (failure.groups[key] for key in ("dim", "there", "came"))
    yield failure.hit(
        f"what is put before or after has {came} in dimension {dim}, and the input has {there}: they differ only where they are joined"
    )


@pitfall.explains(
    r"expected [fa]weights to have the same numel as there are observations in the input but got (?P<came>\d+) != (?P<there>\d+)",
    odds=0.97,
)
def weights_of_others(failure: Failure) -> Hits:
    came, there = failure.groups["came"], failure.groups["there"]
    yield failure.hit(
        f"there are {came} weights for {there} observations, which are the columns: x.T where they are rows"
    )


pitfall.answers(
    {
        "torch.gradient expected each dimension size to be at least": "each dimension needs edge_order + 1 numbers at least: dim= for those that have "
        "them",
        "trapezoid: There must be one `x` value": "the places x are as many as the values y along dim: see both shapes, and dim=",
        "torch.gradient only supports edge_order": "edge_order is 1 or 2",
        "diff expects prepend or append to be the same dimension": "what is put before or after has as many dimensions as the input: x.new_zeros(2, 1) for rows "
        "of an x of two",
        "diff expects input to be at least one-dimensional": "differences are taken along a dimension, and a single number has none",
    },
    odds=0.96,
)
