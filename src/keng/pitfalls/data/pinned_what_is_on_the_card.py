r"""Memory is to be pinned that is not the CPU's.

`pin_memory` locks memory of the machine for faster copies to the card. A dataset or collate function that already returns
tensors on the card, or a default device of `cuda`, leaves nothing to pin; in worker processes it brings further errors.

Cure: return tensors of the CPU from the dataset and move the batch in the loop, `x.to(device, non_blocking=True)`; or
`pin_memory=False`.

Bad:

```python
import torch

x = torch.ones(3, device="meta").pin_memory()  # seen: `Meta`
```

Good:

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(8, 2)), batch_size=4)
```

Message (torch 1.0 to 2.13; `cuda`):

```text
RuntimeError: Caught RuntimeError in pin memory thread for device 0.
Original Traceback (most recent call last):
  File "/env/lib/python3.9/site-packages/torch/utils/data/_utils/pin_memory.py", line 50, in pin_memory
    return data.pin_memory()
RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"cannot pin '(?P<kind>[\w.]+)' only (?:dense )?CPU", odds=0.97)
def not_of_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(
        f"what is to be pinned is a {failure.groups['kind']} and not on the CPU: let the dataset return tensors of the "
        "CPU, or pin_memory=False"
    )
