r"""Batch norm's counter is missing from a state dict, or not known to the model.

Since 0.4.1 batch norm counts its batches in a buffer `num_batches_tracked`, which only
`momentum=None` ever uses. A file that was written before has no such entry, and code from before does
not know it. PyTorch fills the entry in by itself for files that carry no version of the layer, such as
a plain dict; a state dict with the version noted and the entry taken out is refused.

Cure: add the entry as a zero, or take it out of a plain dict; `strict=False` would forgive every other
missing name as well.

Bad:

```python
import io

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
state = model.state_dict()
for key in list(state):
    if key.endswith("num_batches_tracked"):
        del state[key]
file = io.BytesIO()
torch.save(state, file)
file.seek(0)
model.load_state_dict(torch.load(file))  # seen: the counter is missing
```

Good:

```python
import io

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
state = {
    key: value
    for key, value in model.state_dict().items()
    if not key.endswith("num_batches_tracked")
}
file = io.BytesIO()
torch.save(state, file)
file.seek(0)
model.load_state_dict(torch.load(file))
```

Message (torch 0.3):

```text
KeyError: 'unexpected key "module.bn1.num_batches_tracked" in state_dict'
```

Message (torch 0.4.0):

```text
RuntimeError: Error(s) in loading state_dict for ResNet:
        Unexpected key(s) in state_dict: "bn1.num_batches_tracked", "layer1.0.bn1.num_batches_tracked".
```
"""

from keng.ckpt.checkpoint import Checkpoint
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

COUNTER = "num_batches_tracked"


@pitfall.explains(r"Error\(s\) in loading state_dict for", odds=0.97)
def counters_only(failure: Failure) -> Hits:
    errors = failure.state_errors
    keys = (*errors.missing, *errors.unexpected)
    if errors.shapes or not keys or not all(key.endswith(COUNTER) for key in keys):
        return
    if errors.missing:
        says = f"only batch norm's counters are missing, {len(keys)} of them: add each as a zero"
        yield failure.hit(f'{says}, state["{keys[0]}"] = torch.tensor(0)', keys=len(keys))
    else:
        says = f"only batch norm's counters are not known here, {len(keys)} of them"
        yield failure.hit(
            f"{says}: the model's batch norms are of before 0.4.1, frozen or without statistics; drop them, or strict=False",
            keys=len(keys),
        )


@pitfall.explains(
    r'unexpected key "(?P<key>[\w.]{1,300}num_batches_tracked)" in state_dict', odds=0.97
)
def counter_not_known(failure: Failure) -> Hits:
    key = failure.groups["key"]
    yield failure.hit(f"`{key}` came with 0.4.1 and this torch is older: drop such entries")


@pitfall.inspects("uncounted")
def counters_taken_out(checkpoint: Checkpoint) -> Hits:
    for lost in checkpoint.uncounted:
        says = f"batch norm's counter is missing from {len(lost)} layers, `{lost[0]}` first"
        yield checkpoint.hit(f"{says}: load_state_dict refuses that", layers=len(lost))
