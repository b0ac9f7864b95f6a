r"""What stands in the brackets of a tensor is no index.

Tensors are indexed with whole numbers, slices, `...`, None, and tensors or lists of whole numbers or truth values. A division with `/` gives a float
though it comes out even, and a dict, a device or an object in the brackets tells that the tensor is not what it is taken for.

Cure: `//` for a place that is computed, `int(i)` for one that was read or given as a float.

Bad (a half):

```python
import torch

x = torch.ones(4, 3)
middle = x[x.shape[0] / 2]  # seen: `//`
```

Good:

```python
import torch

x = torch.ones(4, 3)
middle = x[x.shape[0] // 2]
```

Message (torch 2.13; `a dict`):

```text
IndexError: only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got dict)
```

Message (PyTorch Geometric 1.6, of a dataset; `tolist()`):

```text
IndexError: Only integers, slices (`:`), list, tuples, and long or bool tensors are valid indices (got int32).
```

Message (PyTorch Geometric 2.8, of a dataset; `Tensor`):

```text
IndexError: Only slices (':'), list, tuples, torch.tensor and np.ndarray of dtype long or bool are valid indices (got 'Tensor')
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"None and long or byte Variables are valid indices \(got (?P<came>[\w.]{1,60})\)", odds=0.96
)
def no_index(failure: Failure) -> Hits:
    came = failure.groups["came"]
    if came == "float":
        yield failure.hit("an index is a float: `//` divides to a whole number, int(i) makes one")
    else:
        yield failure.hit(
            f"an index is a {came}, and no whole number: is this the tensor that is meant?"
        )


@pitfall.explains(
    r"(?:and long or bool tensors|of dtype long or bool) are valid indices \(got '?(?P<came>[\w.]{1,60})",
    odds=0.96,
)
def no_index_of_graphs(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['came']}` is no index of a dataset of graphs: int(i) or index.tolist(), as it takes whole numbers of Python, slices, "
        "lists, and arrays of long or bool alone"
    )
