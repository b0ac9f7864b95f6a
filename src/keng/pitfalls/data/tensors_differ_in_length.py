r"""Tensors that belong together have different lengths.

`TensorDataset` takes the first dimension as that of the samples, so inputs and labels have as many entries there. Features that were filtered
and labels that were not, a transposed array, or images given before the batch dimension was put first, differ; the same holds for `StackDataset`.

Cure: `assert len(x) == len(y)` where each is made; filter both with one mask.

Bad:

```python
import torch
from torch.utils.data import TensorDataset

x, y = torch.ones(8, 3), torch.zeros(7)
data = TensorDataset(x, y)  # seen: `first dimension`
```

Good:

```python
import torch
from torch.utils.data import TensorDataset

x, y = torch.ones(8, 3), torch.zeros(8)
data = TensorDataset(x, y)
```

Message (torch 1.4; `first dimension`):

```text
Traceback (most recent call last):
  File "train.py", line 21, in <module>
    train = TensorDataset(x_train, y_train)
  File "/env/lib/python3.7/site-packages/torch/utils/data/dataset.py", line 158, in __init__
    assert all(tensors[0].size(0) == tensor.size(0) for tensor in tensors)
AssertionError
```

Message (torch 2.13):

```text
ValueError: Size mismatch between datasets
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Size mismatch between (?P<what>tensors|datasets)",
    r"assert all\((?P<what>tensors)\[0\]\.size\(0\) == tensor\.size\(0\)",
    odds=0.95,
)
def lengths_differ(failure: Failure) -> Hits:
    there = failure.live.operands
    sizes = ", ".join(f"{o.name} has {o.shape[0]}" for o in there if o.shape)
    says = f"the {failure.groups['what']} have not as many samples each, in the first dimension"
    says = f"{says}: {sizes}" if len(there) > 1 else says
    yield failure.hit(
        f"{says}; one was filtered, cut into windows or reshaped, and the other was not"
    )
