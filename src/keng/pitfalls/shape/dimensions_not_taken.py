r"""A function gets a tensor of another number of dimensions than it takes.

Layers take batches, functions mostly do not: `multinomial` draws from a row or a matrix of rows, `cdist` measures between the rows of two matrices,
`bucketize` has its borders in one dimension, `x.mT` transposes matrices. A leading batch, a time axis or a lost one of size 1 is refused by the
function itself, in words of its own.

Cure: print `x.shape`; `x.flatten(0, -2)` before and `view` after takes the leading dimensions as one; `x.unsqueeze(0)` makes a row of a vector; a loop or
`torch.vmap` over the batch does the rest.

Bad (a batch of sequences):

```python
import torch

chances = torch.ones(2, 5, 9).softmax(-1)
words = torch.multinomial(chances, 1)  # seen: `flatten`
```

Bad (vectors for matrices):

```python
import torch

apart = torch.cdist(torch.ones(3), torch.zeros(3))  # seen: `at least 2`
```

Bad (a vector transposed):

```python
import torch

x = torch.ones(3)
product = x @ x.mT  # seen: `gets 1`
```

Bad (one row of bags):

```python
import torch
from torch import nn

bags = nn.EmbeddingBag(9, 4)
mean = bags(torch.tensor([1, 2, 5]))  # seen: `offsets`
```

Good:

```python
import torch
from torch import nn

chances = torch.ones(2, 5, 9).softmax(-1)
words = torch.multinomial(chances.flatten(0, 1), 1).view(2, 5)
apart = torch.cdist(torch.ones(1, 3), torch.zeros(1, 3))
x = torch.ones(3)
product = x @ x
mean = nn.EmbeddingBag(9, 4)(torch.tensor([[1, 2, 5]]))
```

Message (torch 2.13; `at least 2`):

```text
RuntimeError: torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with 1 dimensions!
```

Message (torch 2.13; `renorm`):

```text
RuntimeError: renorm: input needs at least 2 dimensions, got 1 dimensions
```

Message (torch 2.13; `pixel_shuffle`):

```text
RuntimeError: pixel_shuffle expects input to have at least 3 dimensions, but got input with 2 dimension(s)
```

Message (torch 2.13; `two or fewer`):

```text
RuntimeError: cov(): expected input to have two or fewer dimensions but got an input with 3 dimensions
```

Message (torch 2.13; `block_diag`):

```text
RuntimeError: torch.block_diag: Input tensors must have 2 or fewer dimensions. Input 0 has 3 dimensions
```

Message (torch 2.13; `multi_dot`):

```text
RuntimeError: multi_dot(): the first tensor must be 1D or 2D but got 3D
```

Message (torch 2.13; `3 or higher`):

```text
ValueError: Expected 3D or higher dimensionality                          input (got 2 dimensions)
```

Message (torch 2.13; `2 to 3 dimensions, and gets 4`):

```text
RuntimeError: Expected 2 to 3 dimensions, but got 4-dimensional tensor for argument #1 'self' (while checking arguments for adaptive_avg_pool1d)
```

Message (torch 2.13):

```text
RuntimeError: Feature dropout requires at least 2 dimensions in the input
```

Message (torch 2.13):

```text
RuntimeError: channel_shuffle expects input with > 2 dims, but got input with sizes [400]
```

Message (torch 2.13):

```text
RuntimeError: b should have at least 2 dimensions, but has 1 dimensions instead
```

Message (a nightly build of torch 1.1, of torch.solve; `b.unsqueeze(-1)`):

```text
RuntimeError: B should have at least 2 dimensions, but has 1 dimensions instead
```

Message (torch 2.13):

```text
RuntimeError: torch.triangular_solve: Expected b to have at least 2 dimensions, but it has 1 dimensions instead
```

Message (torch 1.12 to 2.13; `dropout1d`):

```text
UserWarning: dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.
```

Message (torch 1.12 to 2.13; `dropout`):

```text
UserWarning: dropout2d: Received a 2-D input to dropout2d, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that dropout2d exists to provide channel-wise dropout on inputs with 2 spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 3D or 4D inputs).
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
MATRICES = "x.mT of a batch of matrices, x.flatten(0, -2) to rows of one"


@pitfall.explains(
    r"\b(?P<what>[hvd]split) requires a tensor with (?P<wants>at least \d) dimensions?, but got a tensor with (?P<came>\d) dim",
    r"\b(?P<what>[cp]dist) only supports (?P<wants>(?:at least )?\d)D tensors, (?:X\d )?got: (?P<came>\d)D",
    r"\b(?P<what>\w{3,30}): input needs (?P<wants>at least \d) dimensions, got (?P<came>\d) dim",
    r"\b(?P<what>\w{3,30}) expects input to have (?P<wants>at least \d) dimensions, but got input with (?P<came>\d) dim",
    r"\b(?P<what>\w{3,30})\(\): expected \w+ to have (?P<wants>\w{3,5} or fewer) dimensions but got (?:an )?\w+ with (?P<came>\d) dim",
    r"\b(?P<what>\w{3,30}): Input tensors must have (?P<wants>\d or fewer) dimensions\. Input \d+ has (?P<came>\d) dim",
    r"\b(?P<what>\w{3,30})\(\): the (?:first|last) tensor must be (?P<wants>1D or 2D) but got (?P<came>\d)D",
    r"Expected (?P<wants>\d to \d) dimensions, but got (?P<came>\d)-dimensional tensor for argument #\d+ '\w+' \(while checking arguments for (?P<what>\w{3,40})\)",
    r"\b(?P<what>tensor\.\w{1,7})(?:\(\))? is only supported on (?P<wants>matrices)\b[^.]{0,40}\. Got (?P<came>\d)-D",
    r"Expected (?P<wants>3D or higher) dimensionality\s+input \(got (?P<came>\d) dimensions\)",
    odds=0.96,
)
def of_other_dimensions(failure: Failure) -> Hits:
    what = failure.groups.get("what", "").removeprefix("tensor.") or "the layer"
    wants, came = failure.groups["wants"].replace("D", ""), failure.groups["came"]
    says = f"{what} takes {wants} dimensions, and gets {came}"
    least = re.search(r"\d", wants)
    cure = "x.unsqueeze(0) adds one" if int(came) < int(least[0] if least else 2) else MATRICES
    yield failure.hit(f"{says}: {cure}")


CURES = {
    "prob_dist must be 1 or 2 dim": "multinomial draws from a row or a matrix of rows: probs.flatten(0, -2), and view after it",
    "boundaries tensor must be 1 dimension": "borders stand in one dimension, in order: torch.searchsorted takes a row for each",
    "boundaries tensor should be 1 dimension": "the borders are one row for all, or have the leading dimensions of the values",
    "offsets has to be a 1D Tensor but got None": "bags in one row are told apart by offsets=; bags of one size are a matrix, a row each",
    "input has to be 1D or 2D Tensor, but got Tensor": "bags stand in a row with offsets=, or in a matrix: flatten the dimensions before the last",
    "expected total dims >= 2": "a vector is not turned: rot90 wants a plane of two dimensions",
    "assuming that channel-wise 1D dropout behavior": "dropout2d reads three dimensions as (N, C, L), and drops channels of sequences: dropout1d says so, an image gets a batch dimension",
    "and silence this warning, please use dropout instead": "this dropout is for channels of images or volumes, and the input has none: nn.Dropout drops single values",
    "Input must be >= 2-d": "fliplr turns columns, which a vector has not: x.flip(0)",
    "no dimension of size 3 in input": "a cross product is of vectors of three numbers: dim= names the dimension of size 3",
    "must have length 3. Got": "a cross product is of vectors of three numbers: dim= names the dimension of size 3",
    "Expect a 1D vector, but got shape": "cartesian_prod and combinations take vectors: x.flatten()",
    "Expected 0D or 1D tensor in the tensor list": "meshgrid takes vectors, one for each axis: x.flatten()",
    "If dim is not specified but ord is": "a norm with ord is of a vector or matrix: dim= for a batch of them",
    "Feature dropout requires at least 2 dimensions": "this dropout leaves out whole channels, (N, C, ...): F.dropout for plain vectors",
    "channel_shuffle expects input with > 2 dims": "channels are shuffled of (N, C, ...), and dimensions are missing: see x.shape",
    "b should have at least 2 dimensions, but has": "right sides are the columns of a matrix: b.unsqueeze(-1) for one",
    "B should have at least 2 dimensions, but has": "right sides are the columns of a matrix: b.unsqueeze(-1) for one",
    "Expected b to have at least 2 dimensions": "right sides are the columns of a matrix: b.unsqueeze(-1) for one",
}
pitfall.answers(CURES, odds=0.96)
