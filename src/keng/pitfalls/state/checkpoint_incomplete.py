r"""A run is resumed from a checkpoint without the optimizer's state.

Adam keeps two running averages for each parameter, SGD with momentum one. A checkpoint that holds the
epoch and the weights alone resumes with all of them at zero: the loss jumps, and the run ends elsewhere
than the one that was never interrupted. Schedules, loss scales and random states belong there too.

Cure: save `optimizer.state_dict()`, and that of the scheduler and the scaler, and load them again.
Write to another name and rename it, so that a crash leaves the last file whole.

Bad:

```python
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model(torch.ones(2, 4)).mean().backward()
optimizer.step()
file = io.BytesIO()
torch.save({"epoch": 1, "model": model.state_dict()}, file)  # here: no optimizer
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model.load_state_dict(checkpoint["model"])
start = checkpoint["epoch"]
```

Proof:

```python
assert start == 1 and not optimizer.state
```

Bad (saved, and not read):

```python
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model(torch.ones(2, 4)).mean().backward()
optimizer.step()
file = io.BytesIO()
torch.save({"epoch": 1, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")  # here: its optimizer is left in it
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model.load_state_dict(checkpoint["model"])
start = checkpoint["epoch"]
```

Proof:

```python
assert start == 1 and not optimizer.state
```

Good:

```python
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
model(torch.ones(2, 4)).mean().backward()
optimizer.step()
file = io.BytesIO()
state = {"epoch": 1, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
torch.save(state, file)
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")
optimizer.load_state_dict(checkpoint["optimizer"])
model.load_state_dict(checkpoint["model"])
start = checkpoint["epoch"]
```

Fine (read by another name, or by a function of its own):

```python
import io

import torch
from torch import nn


def resume(saved):
    optimizer.load_state_dict(saved["optimizer"])


model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
file = io.BytesIO()
torch.save({"epoch": 1, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
for read in range(2):
    file.seek(0)
    checkpoint = torch.load(file, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    start = checkpoint["epoch"]
    if read:
        resume(checkpoint)
    else:
        optimizer.load_state_dict(checkpoint["optimizer"])
```

Fine (an epoch for the record, which nothing resumes from; an optimizer without a memory):

```python
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
file = io.BytesIO()
torch.save({"epoch": 1, "model": model.state_dict()}, file)
file.seek(0)
best = torch.load(file, map_location="cpu")
model.load_state_dict(best["model"])
```

Bad (a file that is published to be used):

```python
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
file = io.BytesIO()
torch.save({"model": model.state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file)
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])  # seen: `optimizer`
```

Message (a scheduler; `lr_schedule`):

```text
  File "train.py", line 183, in resume
    self.scheduler.load_state_dict(checkpoint["lr_schedule"])
KeyError: 'lr_schedule'
```

Fine (plain SGD):

```python
import io

import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
file = io.BytesIO()
torch.save({"epoch": 1, "model": model.state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")
model.load_state_dict(checkpoint["model"])
start = checkpoint["epoch"]
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code, Kind

pitfall = Pitfall(__name__, __doc__, severity="warning")

LOADS = re.compile(
    r"\b(?:\w+\.)*\w*(?:optim|sched|scaler)\w*(?:\[\w+\])?\.load_state_dict\(|\b(?:self\.)?opt\w{0,3}\.load_state_dict\("
)
"""What takes up the state of an optimizer, or of what goes with it."""

RESUMED = {"epoch", "start_epoch", "step", "global_step", "iter", "iteration", "it"}


@pitfall.finds
def resumed_without_the_optimizer(code: Code) -> Hits:
    saves = list(code.saves())
    optimizers = list(code.carrying_optimizers()) if saves else []
    for save, entries in saves if optimizers else ():
        counted = code.resumes_from(save) & RESUMED
        if not counted or "" in code.saved_keys(save):
            continue
        if code.saves_state_of(entries, Kind.OPTIMIZER):
            continue
        kind = code.text_of(optimizers[0].func).rpartition(".")[2]
        key = min(counted)
        yield code.hit(
            save, f"a run goes on from this `{key}`, and {kind} begins anew: its state is left out"
        )


@pitfall.finds
def optimizer_left_in_the_file(code: Code) -> Hits:
    saves = list(code.saves())
    for save, _ in saves if saves and any(code.carrying_optimizers()) else ():
        counted = sorted(code.resumes_from(save) & RESUMED)
        for load, entry in code.optimizers_left_behind(save) if counted else ():
            says = f"a run goes on from this `{counted[0]}`, and `{entry}` is never read"
            yield code.hit(load, f"{says}: the optimizer begins anew")


@pitfall.explains(
    r"(?:^|Error: )'(?P<key>\w{0,20}(?:optim|sched|scaler)\w{0,20})'(?=$| is raised)", odds=0.93
)
def nothing_to_go_on_from(failure: Failure) -> Hits:
    line = failure.frames[-1].text if failure.frames else failure.around
    loads, key = LOADS.search(line), failure.groups["key"]
    named = re.search(rf"""\[["']{key}["']\]""", line)
    if failure.kind == "KeyError" and loads and named:
        what = loads[0].partition(".load_state_dict")[0]
        yield failure.hit(
            f"the file has no `{key}`, as files that are published to be used have not, or calls it otherwise (print its keys()): begin with a new `{what}`, or resume from what the run saved"
        )
