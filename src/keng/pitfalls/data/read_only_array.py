r"""A tensor is made of an array that may not be written to.

`torch.from_numpy` and `as_tensor` share the memory of the array. An array of a file that is mapped read-only, of a Parquet or
Arrow table, of `np.broadcast_to` or of `np.frombuffer` over bytes is not writable, which a tensor cannot know: writing to
the tensor writes there all the same, or ends the process.

Cure: `torch.tensor(array)` or `array.copy()`, where it is not too large; leave it where nothing is ever written in place,
and filter the warning.

Bad:

```python
import warnings

import numpy as np
import torch

array = np.frombuffer(b"\x01\x02\x03\x04", dtype=np.uint8)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    x = torch.from_numpy(array)  # seen: shares memory that may not be written to
```

Proof:

```python
assert "not writable" in str(said[0].message)
```

Good:

```python
import numpy as np
import torch

array = np.frombuffer(b"\x01\x02\x03\x04", dtype=np.uint8)
x = torch.from_numpy(array.copy())
```

Message (torch 1.5 to 2.13):

```text
UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.explains(r"The given (?P<what>NumPy array|buffer) is not writ(?:e?able)", odds=0.96)
def shared_for_reading(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tensor shares the memory of a {failure.groups['what']} that may be read alone: .clone() of it is a copy, and where nothing writes in place the warning is of no account"
    )
