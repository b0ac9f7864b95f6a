r"""A checkpoint is written in a pickle protocol that plain loading does not read.

`torch.save` writes protocol 2, and the reader of `weights_only=True`, the default since 2.6, knows that one and little of the later ones. Protocol 4 and 5
have other instructions: the first of them stops the reading, though the file is whole and holds nothing but tensors.

Cure: leave `pickle_protocol` out of `torch.save`; a file that is there already is read once with `weights_only=False`, if its writer is trusted, and saved anew.

Bad:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file, pickle_protocol=4)
file.seek(0)
state = torch.load(file)  # seen: `pickle_protocol`
```

Bad (the highest):

```python
import io
import pickle

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file, pickle_protocol=pickle.HIGHEST_PROTOCOL)
file.seek(0)
state = torch.load(file)  # seen: `pickle_protocol`
```

Good:

```python
import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.ones(2)}, file)
file.seek(0)
state = torch.load(file)
```

Message (torch 2.6 to 2.13; `pickle_protocol`):

```text
UserWarning: Detected pickle protocol 4 in the checkpoint, which was not the default pickle protocol used by `torch.load` (2). The weights_only Unpickler might not support all instructions implemented by this protocol, please file an issue for adding support if you encounter this.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Detected pickle protocol (?P<protocol>\d) in the checkpoint",
    r"WeightsUnpickler error:\s{1,9}Unsupported operand 1(?:4\d|5[01])\b",
    odds=0.97,
)
def read_by_the_plain_reader(failure: Failure) -> Hits:
    protocol = failure.groups.get("protocol") or "4 or 5"
    yield failure.hit(
        f"the file is whole, and written with pickle_protocol={protocol}, of which plain loading knows little: torch.save without it; this one by "
        "weights_only=False, if its writer is trusted"
    )
