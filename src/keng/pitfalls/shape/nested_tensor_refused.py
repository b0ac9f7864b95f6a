r"""An operation does not know nested tensors, or these do not fit each other.

A nested tensor holds parts of different lengths, so it has no single shape, and few operations know it. The older layout,
`torch.strided`, refuses even `.shape`; the newer one, `torch.jagged`, has one irregular dimension, and two of them fit only where both have the
same object of lengths, not only the same numbers.

Cure: `layout=torch.jagged`; operations of elements, products and attention; `x.to_padded_tensor(0.0)` for all others; a second tensor of
the same lengths by `torch.nested.nested_tensor_from_jagged(values, x.offsets())`.

Bad (its shape):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
batch = words.shape[0]  # seen: `torch.jagged`
```

Bad (with a dense one):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
shifted = words + torch.ones(4)  # seen: dense
```

Bad (of two lengths):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
other = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
total = words + other  # seen: `offsets()`
```

Bad (of different dimensions):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2), torch.ones(3, 3)])  # seen: `1 and 2`
```

Bad (a part of the batch):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
first = words[0:1]  # seen: `slice`
```

Bad (an operation without a form for them):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
mean = words.mean()  # seen: `aten::mean`
```

Bad (an irregular size):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
length = words.size(1)  # seen: `dimension 1`
```

Bad (a sum over the parts):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
total = words.sum(1)  # seen: `dimension 1`
```

Bad (two irregular dimensions):

```python
import torch

parts = [torch.ones(2, 4), torch.ones(3, 5)]
words = torch.nested.nested_tensor(parts, layout=torch.jagged)  # seen: `one dimension`
```

Bad (one tensor of all):

```python
import torch

words = torch.nested.nested_tensor(torch.ones(2, 4))  # seen: `a list`
```

Bad (joined with a dense one):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
both = torch.cat([words, torch.ones(1, 4)])  # seen: `dense`
```

Bad (a view without its batch):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
flat = words.reshape(-1)  # seen: `values()`
```

Bad (a softmax over the parts):

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)])
scores = words.softmax(0)  # seen: `dim=-1`
```

Good:

```python
import torch

words = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
batch = words.shape[0]
other = torch.nested.nested_tensor_from_jagged(torch.ones(5, 4), words.offsets())
total = words + other
mean = words.to_padded_tensor(0.0).sum() / words.values().numel()
```

Message (torch 2.13; `eval()`):

```text
AssertionError: MultiheadAttention does not support NestedTensor outside of its fast path. The fast path was not hit because training is enabled
```

Message (torch 2.13; `batch`):

```text
RuntimeError: softmax(): not supported when reducing across the batch dimension for NestedTensor
```

Message (torch 2.13; `one dtype`):

```text
RuntimeError: When constructing a nested tensor, all tensors in list must have the same dtype
```

Message (torch 2.13, of a dense tensor; `both dense`):

```text
RuntimeError: cannot call binary pointwise function add.Tensor with inputs of shapes torch.Size([2, j6, 4]) and torch.Size([3, 4])
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"NestedTensorImpl doesn't support (?P<what>\w+)", odds=0.96)
def asked_for_a_shape(failure: Failure) -> Hits:
    yield failure.hit(
        f"a nested tensor of the older layout has no single {failure.groups['what'].removesuffix('s')}: layout=torch.jagged, or x.to_padded_tensor(0.0)"
    )


@pitfall.explains(r"Given dimension (?P<dim>\d+) is irregular and does not have a size", odds=0.97)
def irregular(failure: Failure) -> Hits:
    yield failure.hit(
        f"the parts differ in dimension {failure.groups['dim']}: x.offsets() tells where each begins"
    )


@pitfall.explains(
    r"Expected both (?:self and other )?to be nested, but got a (?:non-)?nested \w+ and (?:non-)?nested \w+",
    odds=0.97,
)
def with_a_dense_one(failure: Failure) -> Hits:
    yield failure.hit(
        "a nested tensor meets a dense one: layout=torch.jagged spreads those, or make both nested"
    )


@pitfall.explains(
    r"cannot call binary pointwise function (?P<op>[\w.]+) with inputs of shapes (?:torch\.Size)?(?P<shapes>\(.{3,200}\))",
    odds=0.96,
)
def of_other_lengths(failure: Failure) -> Hits:
    yield failure.hit(
        f"the shapes {failure.groups['shapes']} do not share their lengths: make one with the offsets() of the other, or both dense"
    )


@pitfall.explains(
    r"All Tensors given to nested_tensor must have the same dimension\. Found dimension (?P<one>\d+) for Tensor at index \d+ and "
    r"dimension (?P<other>\d+)",
    odds=0.97,
)
def of_different_dimensions(failure: Failure) -> Hits:
    one, other = sorted(failure.groups[name] for name in ("one", "other"))
    yield failure.hit(f"the parts have {one} and {other} dimensions, and may differ in sizes alone")


@pitfall.explains(
    r"\b(?P<op>\w+)\(\): not supported for NestedTensor",
    r"Could not run '(?P<op>aten::[\w.]+)' with arguments from the 'NestedTensor\w+' backend",
    odds=0.96,
)
def without_a_form(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} does not know nested tensors so: x.to_padded_tensor(0.0), or a loop over x.unbind()"
    )


@pitfall.explains(
    r"NestedTensor can only be reduced across the last dimension for now got dimension (?P<dim>-?\d+)",
    odds=0.97,
)
def summed_across(failure: Failure) -> Hits:
    yield failure.hit(
        f"the older layout sums over its last dimension alone, not over dimension {failure.groups['dim']}: layout=torch.jagged, or x.to_padded_tensor(0.0)"
    )


pitfall.answers(
    {
        "does not support NestedTensor outside of its fast path": "attention takes nested tensors only where it is fast: model.eval() and no_grad, or padded tensors with a mask",
        "across the batch dimension for NestedTensor": "the batch of a nested tensor is no dimension to reduce over: a loop over x.unbind()",
        "reducing along the batch dimension but not the ragged": "the batch of a nested tensor is no dimension to reduce over: a loop over x.unbind()",
        "reducing along a ragged and non-batch dimension": "over the parts' length alone a nested tensor is reduced, or over all but it: x.to_padded_tensor(0.0) else",
        "all tensors in list must have the same dtype": "the parts of a nested tensor are of one dtype: t.float() on each",
        "all tensors in list must have the same dim": "the parts of a nested tensor have as many dimensions each",
        "as a nested tensor with the jagged layout": "the parts differ in more than one dimension, and layout=torch.jagged has one that differs: pad the others",
        "is not supported on the batch dimension for jagged": "the batch of a nested tensor stays first: transpose and permute the dimensions behind it",
        "jagged layout only allows for a single ragged dimension": "with layout=torch.jagged the parts differ in one dimension: the first of each",
        "are accepted in nested_tensor": "a nested tensor is made of a list of tensors: [x[0], x[1]], or torch.nested.as_nested_tensor(x)",
        "tensor in given list to be nested": "nested and dense tensors are joined: make all of them nested, or x.to_padded_tensor(0.0)",
        "cannot change or infer the implicit batch dimension": "a view keeps the batch dimension of a nested tensor: x.values() has all parts in one",
        "Cannot apply softmax across nested dimension": "a softmax goes within each part: dim=-1",
    },
    odds=0.96,
)
