r"""A jagged nested tensor is used as if its lengths were one number.

With `layout=torch.jagged` the parts of a nested tensor differ in one dimension, whose size is a symbol: `x.shape[1]` prints as `j1`, can be handed
on and compared, and is no number to compute with. Operations that no one has written for this layout raise their bare name.

Cure: `x.offsets().diff()` has the lengths; `x.values()` all parts in one, for what goes element by element; `x.to_padded_tensor(0.0)` or a loop over
`x.unbind()` for the rest.

Bad (computed with):

```python
import torch

parts = [torch.ones(2, 4), torch.ones(3, 4)]
x = torch.nested.nested_tensor(parts, layout=torch.jagged)
half = x.shape[1] + 1  # seen: `x.offsets().diff()`
```

Bad (an operation that is not there):

```python
import torch

parts = [torch.ones(2, 4), torch.ones(3, 4)]
x = torch.nested.nested_tensor(parts, layout=torch.jagged)
spread = x.std()  # seen: `std`
```

Bad (all in a row):

```python
import torch

parts = [torch.ones(2, 4), torch.ones(3, 4)]
x = torch.nested.nested_tensor(parts, layout=torch.jagged)
flat = x.reshape(-1)  # seen: `x.values()`
```

Good:

```python
import torch

parts = [torch.ones(2, 4), torch.ones(3, 4)]
x = torch.nested.nested_tensor(parts, layout=torch.jagged)
lengths = x.offsets().diff()
spread, flat = x.values().std(), x.values().flatten()
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"'NestedIntNode' object has no attribute", odds=0.97)
def no_number(failure: Failure) -> Hits:
    yield failure.hit(
        "the length of a jagged tensor is a symbol and no number: x.offsets().diff() has the lengths"
    )


@pitfall.explains(r"(?:^|Error: )aten\.(?P<op>\w{2,60})\.\w{1,40}$", odds=0.96)
def not_written(failure: Failure) -> Hits:
    if failure.passed_through("torch/nested/_internal/nested_tensor.py"):
        yield failure.hit(
            f"`{failure.groups['op']}` is not there for jagged tensors: x.values(), or x.to_padded_tensor(0.0)"
        )


@pitfall.explains(r"cannot view shape \([^)]{0,40}\bj\d+\b[^)]{0,40}\) as \[", odds=0.97)
def in_a_row(failure: Failure) -> Hits:
    yield failure.hit("a jagged tensor is not viewed in one row: x.values() has all parts in one")
