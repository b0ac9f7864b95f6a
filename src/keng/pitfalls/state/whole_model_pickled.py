r"""The whole model is pickled, not its weights.

`torch.save(model, path)` writes the names of the model's classes and where their modules are, not their
code: the file can be read only where the same classes stand at the same import paths, and breaks when
one of them is renamed or moved. Since 2.6 `torch.load` refuses such a file, because reading it can run
any program. An optimizer or a scheduler that was saved whole is no state either, and `load_state_dict` refuses it.

Cure: save `model.state_dict()` and `optimizer.state_dict()`, build the model from its code and load the state dict into it. To give
a model away without its code, export it.

Bad:

```python
import io
import pickle

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 2), nn.ReLU())
file = io.BytesIO()
torch.save(model, file)  # here: classes are written, not only weights
```

Proof:

```python
file.seek(0)
try:
    torch.load(file)
except pickle.UnpicklingError:
    refused = True
assert refused
```

Bad (an optimizer):

```python
import io

import torch
from torch import nn

optimizer = torch.optim.Adam(nn.Linear(4, 2).parameters())
file = io.BytesIO()
torch.save(optimizer, file)
file.seek(0)
optimizer.load_state_dict(torch.load(file, weights_only=False))  # seen: `Adam`
```

Bad (a scheduler, given itself):

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(4, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
scheduler.load_state_dict(scheduler)  # seen: `StepLR`
```

Bad (a scaler):

```python
import torch

scaler = torch.amp.GradScaler("cpu")
scaler.load_state_dict(scaler)  # seen: `GradScaler`
```

Bad (an entry of it):

```python
import pickle

from torch import nn

checkpoint = pickle.loads(pickle.dumps(nn.Linear(4, 2)))
epoch = checkpoint["epoch"]  # seen: `epoch`
```

Good:

```python
import io

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 2), nn.ReLU())
file = io.BytesIO()
torch.save(model.state_dict(), file)
```

Fine (a tensor, a scripted model, an optimizer's state):

```python
import io

import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.save(model.weight, io.BytesIO())
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, io.BytesIO())
```

Message (detectron2 and others that look for an entry; `GeneralizedRCNN`):

```text
TypeError: argument of type 'GeneralizedRCNN' is not iterable
```

Message (torch 1.0 to 1.13; `Adam`):

```text
  File "train.py", line 54, in train
    optimizer.load_state_dict(torch.load(path))
  File "/env/lib/python3.7/site-packages/torch/optim/optimizer.py", line 108, in load_state_dict
    saved_groups = state_dict['param_groups']
TypeError: 'Adam' object is not subscriptable
```

Message (YOLO 8, a file that torch.save made of the whole model; `YOLO`):

```text
Traceback (most recent call last):
  File "dev.py", line 21, in <module>
    model = YOLO("saved.pt")
  File "/env/lib/python3.8/site-packages/ultralytics/nn/tasks.py", line 701, in attempt_load_one_weight
    args = {**DEFAULT_CFG_DICT, **(ckpt.get("train_args", {}))}
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 1695, in __getattr__
    raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
AttributeError: 'YOLO' object has no attribute 'get'
```
"""

import re

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.tree import dotted
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Kind

pitfall = Pitfall(__name__, __doc__, severity="warning")

LOADED = re.compile(r"state|checkpoint|ckpt|model|net|weight|pretrain|load", re.IGNORECASE)
PYTHONS = ("NoneType", "Namespace", "PosixPath", "WindowsPath", "Path", "Series", "DataFrame")
"""Types of Python, and of what is no model, that begin in capitals."""
ENTRY = re.compile(
    r"(?P<of>\w{0,30}(?:checkpoint|ckpt|state_?dict|pretrained)\w{0,30})\[[\"'](?P<entry>[\w.-]{1,60})[\"']\]"
)
KEEPERS = re.compile(r"/torch/(?:optim/(?:optimizer|lr_scheduler)|(?:cuda/)?amp/grad_scaler)\.py$")
"""What has a state beside the model."""


@pitfall.finds
def model_saved(code: Code) -> Hits:
    for save, entries in code.saves():
        for entry in entries if not code.file_made_by(save, 1, "tempfile.") else ():
            if code.kind_of(entry) is not Kind.MODULE or code.pickles_itself(entry):
                continue
            name = code.text_of(entry)
            says = f"`{name}` is pickled with the names of its classes; its state dict is enough"
            edit = code.append(entry, ".state_dict()")
            yield code.hit(entry, says, fix=Fix("Save the state dict", (edit,), "shown"))


@pitfall.inspects("modules")
def model_in_the_file(checkpoint: Checkpoint) -> Hits:
    if checkpoint.format == "torchscript":
        return  # its code is in the file
    for path, model in checkpoint.modules:
        under = f" under `{dotted(path)}`" if path else ""
        says = f"the file holds a whole `{model.name}`{under}, which loads only where that class is"
        yield checkpoint.hit(says, tensors=len(checkpoint.tensors))


@pitfall.explains(r"argument of type '(?P<kind>[A-Z]\w{1,80})' is not iterable", odds=0.7)
def searched_for_an_entry(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind not in PYTHONS and (not failure.line or LOADED.search(failure.line)):
        yield failure.hit(
            f"an entry is looked for in a `{kind}`: if it was loaded, the file holds the whole model, to be used as it is, or by its .state_dict()"
        )


@pitfall.explains(
    r"'(?P<kind>[A-Z]\w{1,80})' object has no attribute '(?:get|keys|items|copy|values|pop)'",
    odds=0.9,
)
def taken_for_a_dict(failure: Failure) -> Hits:
    last = failure.frames[-1].path if failure.frames else ""
    if last.endswith("torch/nn/modules/module.py"):
        yield failure.hit(
            f"a dict is wanted and a `{failure.groups['kind']}` came: if it was loaded, the file holds the whole model, to be used as it is, or by its .state_dict()"
        )


@pitfall.explains(
    r"'(?P<kind>[A-Z]\w{1,80})' object (?:is not (?:subscriptable|iterable)|has no attribute 'copy')",
    r"object of type '(?P<kind>[A-Z]\w{1,80})' has no len\(\)",
    odds=0.94,
)
def whole_in_place_of_its_state(failure: Failure) -> Hits:
    kind, last = failure.groups["kind"], failure.frames[-1] if failure.frames else None
    loads = last is not None and last.function.startswith("load_state_dict")
    if loads and KEEPERS.search(failure.raised_in) and kind != "NoneType":
        yield failure.hit(
            f"load_state_dict wants a state dict, and a whole `{kind}` came: save its state_dict(); of one that was saved whole, torch.load(path).state_dict()"
        )


@pitfall.explains(
    r"'(?P<kind>[A-Z]\w{1,80})' object (?:is not subscriptable|does not support indexing)",
    odds=0.95,
)
def entry_of_a_whole(failure: Failure) -> Hits:
    kind, found = failure.groups["kind"], ENTRY.search(failure.line or failure.around)
    if found is not None and kind not in PYTHONS:
        yield failure.hit(
            f"`{found['of']}` is a whole {kind} and no dict with an entry `{found['entry']}`: use it as the model, and for going on save {{'model': model.state_dict(), 'optimizer': ..., 'epoch': ...}}",
            sure=bool(failure.line),
        )
