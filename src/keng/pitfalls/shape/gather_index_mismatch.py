r"""Indices and what they index do not fit together.

`gather` and `scatter` want an index of as many dimensions as the tensor, no larger than it save along `dim`, and a source of
its dtype. Several index tensors in brackets are broadcast against each other; what is assigned must be broadcast to what
was chosen. `index_add_` wants one index for each slice.

Cure: `index.unsqueeze(1)` or `.expand(...)` for the missing dimension; print the shapes of index, source and tensor; for one
value of each row `x[torch.arange(len(x)), labels]`; `source.to(x.dtype)`.

Bad (a dimension is missing):

```python
import torch

scores, labels = torch.ones(4, 3), torch.tensor([0, 1, 2, 0])
chosen = scores.gather(1, labels)  # seen: `unsqueeze`
```

Bad (two indices):

```python
import torch

x = torch.ones(4, 5)
y = x[torch.tensor([0, 1, 2]), torch.tensor([0, 1])]  # seen: `[3], [2]`
```

Bad (what is assigned):

```python
import torch

x = torch.zeros(4, 5)
x[torch.tensor([0, 1])] = torch.ones(3, 5)  # seen: `[3, 5]`
```

Bad (more rows than there are):

```python
import torch

x = torch.ones(2, 3)
y = x.gather(1, torch.zeros(3, 1, dtype=torch.long))  # seen: `[3, 1]`
```

Bad (a source of no dimensions):

```python
import torch

x = torch.zeros(2, 3)
index = torch.tensor([[0], [2]])
x.scatter_(dim=1, index=index, src=torch.tensor(1.0))  # seen: a plain number
```

Bad (slices to be added):

```python
import torch

x = torch.zeros(3)
x.index_add_(0, torch.tensor([0, 1]), torch.ones(3))  # seen: one index is missing
```

Bad (indices of tokens):

```python
import torch

scores = torch.randn(2, 5, 9).log_softmax(-1)
tokens = torch.zeros(2, 5, dtype=torch.long)
chosen = scores.gather(2, tokens)  # seen: `tokens.unsqueeze(2)`
```

Good:

```python
import torch

scores, labels = torch.ones(4, 3), torch.tensor([0, 1, 2, 0])
chosen = scores.gather(1, labels.unsqueeze(1)).squeeze(1)
x = torch.zeros(4, 5).scatter_(1, labels.unsqueeze(1), 1.0)
y = x[torch.tensor([0, 1]), torch.tensor([0, 1])]
x[torch.tensor([0, 1])] = torch.ones(2, 5)
x.index_add_(0, torch.tensor([0, 1]), torch.ones(2, 5))
```

Message (torch 0.4 to 1.4):

```text
RuntimeError: invalid argument 2: Index tensor must have same size as input tensor at /pytorch/aten/src/TH/generic/THTensorEvenMoreMath.cpp:620
```

Message (torch 2.13; `2 counts for 3`):

```text
RuntimeError: repeats must have the same size as input along dim, but got repeats.size(0) = 2 and input.size(0) = 3
```

Message (torch 2.13; `one dimension`):

```text
IndexError: index_select(): Index is supposed to be a vector
```

Message (torch 2.13; `2 dimensions`):

```text
RuntimeError: torch.take_along_dim(): input and indices should have the same number of dimensions, but got 2 dimensions for input, and 1 dimensions for indices
```

Message (torch 2.13; `torch.where`):

```text
RuntimeError: masked_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).
```

Message (torch 2.13; `True`):

```text
RuntimeError: Number of elements of source < number of ones in mask
```

Message (torch 2.13):

```text
RuntimeError: fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.
```

Message (torch 1.5):

```text
RuntimeError: mismatch in length of strides and shape
```

Message (an older torch):

```text
RuntimeError: invalid argument 4: Index tensor must have same dimensions as output tensor at /pytorch/aten/src/THC/generic/THCTensorScatterGather.cu:295
```

Message (torch 2.13; `view or expand`):

```text
RuntimeError: source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = [3, 2] source.shape = [2]
```

Message (torch 2.13, of a MaxUnpool1d; `unpooling`):

```text
RuntimeError: Expected shape of indices to be same as that of the input tensor ([8, 8, 1]) but got indices tensor with shape: [8, 7, 1]
```

Message (torch 1.0 to 1.5, CUDA; `unsqueeze`):

```text
RuntimeError: invalid argument 3: Index tensor must be either empty or have same dimensions as output tensor at /pytorch/aten/src/THC/generic/THCTensorScatterGather.cu:199
```

Message (torch 0.3 to 1.5, CUDA; `[4 x 5]`):

```text
RuntimeError: invalid argument 3: Index tensor must not have larger size than input tensor, but got index [4 x 5] input [4 x 3] at /pytorch/aten/src/THC/generic/THCTensorScatterGather.cu:125
```

Message (torch 0.3 to 1.9; `dimension 1 alone`):

```text
RuntimeError: Expected tensor [4, 3], src [4, 2] and index [2, 2] to have the same size apart from dimension 1
```

Message (torch 0.1 to 1.9; `one number of dimensions`):

```text
RuntimeError: invalid argument 2: Input tensor must have same dimensions as output tensor at /pytorch/aten/src/THC/generic/THCTensorScatterGather.cu:17
```

Message (torch 0.1 to 1.9, CUDA; `is gathered`):

```text
RuntimeError: invalid argument 2: Input tensor must have same size as output tensor apart from the specified dimension at /pytorch/aten/src/THC/generic/THCTensorScatterGather.cu:29
```

Message (torch 0.1 to 1.2; `each slice`):

```text
RuntimeError: invalid argument 4: Number of indices should be equal to source:size(dim) at /pytorch/aten/src/TH/generic/THTensorMath.cpp:300
```

Message (torch 0.1 to 1.7, CUDA; `each slice`):

```text
RuntimeError: invalid argument 4: length of src.size[dim] is not equal to length of indices at /pytorch/aten/src/THC/generic/THCTensorIndex.cu:63
```

Message (torch 0.3 to 1.7; `put_`):

```text
RuntimeError: invalid argument 3: src should have the same number of elements as index at /pytorch/aten/src/TH/generic/THTensorMath.cpp:300
```

Message (torch 1.0 to 1.9; `flatten`):

```text
RuntimeError: index_select() argument index must be 1-D long-tensor.
```

Message (torch 0.4 to 1.9; `flatten`):

```text
RuntimeError: invalid argument 3: Index is supposed to be an empty tensor or a vector at /pytorch/aten/src/THC/generic/THCTensorIndex.cu:330
```

Message (torch 0.3; `flatten`):

```text
RuntimeError: Indexing a Tensor with a torch.LongTensor triggers index_select semantics, and thus we expect a vector, but the indexing Tensor passed has 2 dimensions
```

Message (torch 1.0 to 2.13, of index_copy_; `apart from`):

```text
RuntimeError: index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: 3 at dimension 1 and source slice shape: 4 at dimension 0.
```
"""

from keng.explain.advice.dimensions import index_of_other_dimensions
from keng.explain.advice.sizes import told_apart
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_messages import INDICES

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Index tensor must (?:be either empty or |either be empty or )?have (?:the )?same (?:number of dimensions|dimensions|size) as (?:input|self|output)",
    r"mismatch in length of strides and shape|Number of elements of (?:destination tensor !=|src <) [Nn]umber of",
    odds=0.95,
)
def a_dimension_missing(failure: Failure) -> Hits:
    yield failure.hit(*index_of_other_dimensions(failure))


@pitfall.explains(
    r"indexing tensors could not be broadcast together with shapes (?P<shapes>\[[\d, \[\]]{0,200}\])",
    odds=0.95,
)
def indices_differ(failure: Failure) -> Hits:
    yield failure.hit(f"the index tensors do not fit each other: {failure.groups['shapes']}")


@pitfall.explains(
    r"value tensor of shape \[(?P<value>[\d, ]*)\] cannot be broadcast to indexing result of shape \[(?P<there>[\d, ]*)\]",
    odds=0.95,
)
def assigned(failure: Failure) -> Hits:
    value, there = failure.groups["value"], failure.groups["there"]
    says = f"what is assigned is [{value}], and what was chosen is [{there}]"
    yield failure.hit(f"{says}: one value for all, or one for each place that the index chose")


@pitfall.explains(
    r"[Ee]xpected index \[(?P<index>[\d, ]*)\] to be (?:smaller|no larger)(?: size)? than (?:self|src) \[(?P<there>[\d, ]*)\]",
    r"Index tensor must not have larger size than \S{5,6} tensor.{0,50}?, but got index \[(?P<index>[\dx, ]*)\] \S{5,6} \[(?P<there>[\dx, ]*)\]",
    odds=0.95,
)
def index_too_large(failure: Failure) -> Hits:
    index, there = failure.groups["index"], failure.groups["there"]
    names = {", ".join(map(str, o.shape)): f"`{o.name}`" for o in failure.live.operands}
    yield failure.hit(
        f"{names.get(index, 'the index')} [{index}] is larger than {names.get(there, 'the tensor')} [{there}] in another dimension"
    )


@pitfall.explains(
    r"index_\w+\(\): Number of indices \((?P<n>\d+)\) should be equal to (?:source|self)\.size\(dim\)",
    odds=0.95,
)
def one_for_each_slice(failure: Failure) -> Hits:
    yield failure.hit(f"there are {failure.groups['n']} indices, and another number of slices")


@pitfall.explains(
    r"repeats must have the same size as input along dim, but got repeats\.size\(0\) = (?P<counts>\d+) and "
    r"input\.size\(0\) = (?P<size>\d+)",
    odds=0.96,
)
def one_count_for_each(failure: Failure) -> Hits:
    counts, size = failure.groups["counts"], failure.groups["size"]
    yield failure.hit(f"repeat_interleave gets {counts} counts for {size} entries")


@pitfall.explains(
    r"input and indices should have the same number of dimensions, but got (?P<there>\d+) dimensions for input, and "
    r"(?P<index>\d+) dimensions for indices",
    odds=0.96,
)
def along_a_dimension(failure: Failure) -> Hits:
    there, index = failure.groups["there"], failure.groups["index"]
    yield failure.hit(f"the tensor has {there} dimensions and the indices {index}: unsqueeze them")


@pitfall.explains(
    r"Expected (?P<shapes>\w{2,20} \[[\dx, ]+\], \w{2,20} \[[\dx, ]+\] and (?:index|src) \[[\dx, ]+\]) to have the same size (?:apart from|in) dimension (?P<dim>\d)",
    odds=0.95,
)
def sizes_beside_the_dimension(failure: Failure) -> Hits:
    shapes, dim = failure.groups["shapes"], failure.groups["dim"]
    yield failure.hit(told_apart(shapes, int(dim)))


pitfall.answers(INDICES, odds=0.95)
