r"""A nested tensor of the layout `torch.jagged` is asked for what its irregular dimension does not allow.

It holds the parts one after another in `x.values()`, and `x.offsets()` says where each begins. The size of the irregular dimension is a symbol (`j1`), no number: nothing is
computed with it, and no view, sum or mask that needs one number for it exists. A view of a part of each (by `lengths` or `narrow`) has holes, which fewer operations know.

Cure: layers and losses on `x.values()`, back by `torch.nested.nested_tensor_from_jagged(y, x.offsets())`; lengths are `x.offsets().diff()`; `x.contiguous()`
closes holes; `x.to_padded_tensor(0.0)` with a mask for the rest.

Bad (its length as a number):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
positions = torch.arange(words.size(1))  # seen: `offsets().diff()`
```

Bad (a comparison of lengths):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
too_long = words.size(1) > 512  # seen: `offsets().diff()`
```

Bad (a view that joins the parts):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
flat = words.view(-1, 4)  # seen: `values()`
```

Bad (an operation that it has not):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
turned = words.flip(0)  # seen: `flip`
```

Bad (a normalization of channels):

```python
import torch
from torch import nn

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
y = nn.BatchNorm1d(4)(words)  # seen: `values()`
```

Bad (no parts):

```python
import torch

words = torch.nested.nested_tensor([], layout=torch.jagged)  # seen: `no parts`
```

Bad (a part of each):

```python
import torch

lengths = torch.tensor([1, 2])
offsets = torch.tensor([0, 2, 6])
words = torch.nested.nested_tensor_from_jagged(torch.ones(6, 3), offsets, lengths)
padded = words.to_padded_tensor(0.0)  # seen: `contiguous()`
```

Good:

```python
import torch
from torch import nn

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
longest = int(words.offsets().diff().max())
y = nn.BatchNorm1d(4)(words.values())
normal = torch.nested.nested_tensor_from_jagged(y, words.offsets())
padded = normal.to_padded_tensor(0.0)
```

Message (torch 2.13; `(2, j20, 3)`):

```text
RuntimeError: expand(): cannot expand shape (2, j20, 3) -> [2, 4, 3]
```

Message (torch 2.13; `values()`):

```text
RuntimeError: log_softmax(): not supported when reducing along the ragged dimension for NestedTensor
```

Message (torch 2.13; `unbind(0)`):

```text
RuntimeError: unbind(): only supported for NestedTensor on dim=0
```

Message (torch 2.13; `(2, j5, 3) and [2, j5, 3]`):

```text
RuntimeError: matmul(): not supported between inputs of shapes (2, j5, 3) and torch.Size([2, j5, 3])
```

Message (torch 2.13; `more dimensions`):

```text
NotImplementedError: NYI: broadcasting NT with T with larger dim
```

Message (torch 2.13; `3 parts and 2 lengths`):

```text
AssertionError: offsets and lengths batch sizes must match: offsets.shape[0] - 1 = 3, lengths.shape[0] = 2
```

Message (torch 2.13; `value`):

```text
ValueError: Expected query, key, and value to be nested tensors, but got query.is_nested: True, key.is_nested: True, and value.is_nested: False instead.
```

Message (torch 2.13; `contiguous()`):

```text
RuntimeError: softmax(): not supported where lengths is not None if reducing across the ragged dimension for NestedTensor
```

Message (torch 2.13; `[2, j23, 3] and [2, j24, 3]`):

```text
RuntimeError: copy_(): expected compatible input and src shapes, but got: torch.Size([2, j23, 3]) and torch.Size([2, j24, 3])
```

Message (torch 2.13; `heads`):

```text
RuntimeError: This path is currently not implemented for jagged layout NT.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

LENGTHS = (
    "the irregular size is no number: lengths are x.offsets().diff(), and its max() is the longest"
)
FLAT = "over the parts' length this is not done: x.values() has all parts in one, and nested_tensor_from_jagged goes back"
HOLES = "the parts have holes between them, as lengths= or narrow leave: x.contiguous() closes them"
PARTS = "a nested tensor is made of tensors, each of one dimension at least"
STACKED = "nested tensors are stacked where all share one offsets(): nested_tensor_from_jagged(values, x.offsets())"
MADE = "values in one row take offsets= or lengths=, in one dimension, and jagged_dim= from 1"
CURES = {
    "'NestedIntNode' object has no attribute": LENGTHS,
    "ge: relation is indeterminate": LENGTHS,
    "when reducing along the ragged dimension": FLAT,
    "Normalization over the ragged dim not supported": FLAT,
    "running_mean should contain j": FLAT,
    "where lengths is not None if": HOLES,
    "nested tensors with holes": HOLES,
    "nested tensor with holes": HOLES,
    "only supported for NestedTensor on dim=0": "a nested tensor falls apart along its batch: x.unbind(0)",
    "NYI: broadcasting NT with T with larger dim": "the dense tensor has more dimensions than the nested one: as many, or fewer",
    "broadcasting nested tensors with dense tensors of equal or higher dim": "the dense tensor has more dimensions than the nested one: as many, or fewer",
    "Cannot construct a nested tensor from an empty tensor list": f"there are no parts, as after a filter: {PARTS}",
    "Cannot construct a nested tensor from a list of zero-dim": PARTS,
    "as_nested_tensor(): Expected first argument to be a tensor or a list / tuple of tensors": PARTS,
    "as_nested_tensor(): Expected tensor argument to have": "the tensor's first dimension is the batch, and its rows are the parts: two dimensions at least",
    "as_nested_tensor(): Converting between nested tensor layouts is not supported": "a layout is not changed: as_nested_tensor(x.unbind(), layout=torch.jagged)",
    "stack(): expected all nested tensors": STACKED,
    "At least one of offsets or lengths is required": MADE,
    "is currently not implemented for jagged layout": "attention takes three nested tensors of one batch and one number of heads: k.expand or repeat_interleave for fewer heads",
    "Expected jagged_dim >=1": MADE,
    "offsets must be 1D, but got": MADE,
    "start and length must be integers for the strided": "tensors of start and length, one for each row, take layout=torch.jagged",
    "jagged layout only supports dim=1": "narrow cuts dimension 1 of each row: narrow(x, 1, start, length, layout=torch.jagged)",
}
pitfall.answers(CURES, odds=0.96)


@pitfall.explains(
    r"\b(?P<what>view|expand)\(\): cannot (?:view|expand) shape (?P<was>\(.{3,60}?\)) (?:as|->) ",
    odds=0.97,
)
def another_shape(failure: Failure) -> Hits:
    what, was = failure.groups["what"], failure.groups["was"]
    yield failure.hit(
        f"{what} keeps the batch and the irregular size j of {was} where they are: x.values(), or x.to_padded_tensor(0.0)"
    )


@pitfall.explains(
    r"matmul\(\): not supported between inputs of shapes (?P<one>\(.{3,60}?\)) and torch\.Size\((?P<other>\[.{3,60}?\])\)",
    r"copy_\(\): expected compatible input and src shapes, but got: torch\.Size\((?P<one>\[.{3,60}?\])\) and torch\.Size\((?P<other>\[.{3,60}?\])\)",
    odds=0.97,
)
def do_not_fit(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"{one} and {other} do not fit: the same j, of one offsets(), in the same place, or a dense matrix behind it"
    )


@pitfall.explains(r"(?:^|Error: )aten\.(?P<op>\w{2,40})\.[A-Za-z_]\w{0,40}$", odds=0.95)
def operation_missing(failure: Failure) -> Hits:
    if failure.passed_through("torch/nested/_internal/nested_tensor.py"):
        yield failure.hit(
            f"{failure.groups['op']} is not made for the jagged layout: on x.values(), in a loop over x.unbind(), or padded"
        )


@pitfall.explains(
    r"offsets and lengths batch sizes must match: \S+ - 1 = (?P<parts>\d+), \S+ = (?P<lengths>\d+)",
    odds=0.97,
)
def lengths_of_others(failure: Failure) -> Hits:
    parts, lengths = failure.groups["parts"], failure.groups["lengths"]
    yield failure.hit(f"there are {parts} parts and {lengths} lengths")


@pitfall.explains(
    r"to be nested tensors, but got query\.is_nested: (?P<query>\w+), key\.is_nested: (?P<key>\w+), and value\.is_nested: (?P<value>\w+)",
    odds=0.97,
)
def attention_to_dense_ones(failure: Failure) -> Hits:
    dense = [name for name in ("query", "key", "value") if failure.groups[name] == "False"]
    yield failure.hit(f"attention takes three nested tensors, and dense is {' and '.join(dense)}")
