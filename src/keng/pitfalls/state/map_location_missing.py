r"""A checkpoint is loaded onto the device that it was saved from.

`torch.load` puts every tensor back where it was. On a machine without that device it fails; in a
distributed run each process loads the file onto `cuda:0`, whose memory fills while the others stay
empty. `load_state_dict` copies into the model wherever the model is, so the file may as well be read
to the CPU.

Cure: `torch.load(path, map_location="cpu")`, or the process's own device.

Bad:

```python
import torch
from torch import nn

torch.serialization.location_tag = lambda storage: "cuda:0"  # as on the machine that trained it
device = "cuda" if torch.cuda.is_available() else "cpu"
with open("weights.pt", "wb") as written:
    torch.save(nn.Linear(4, 2).state_dict(), written)
model = nn.Linear(4, 2).to(device)
state = torch.load("weights.pt")  # here: goes to cuda:0 first, which may not be there
model.load_state_dict(state)
```

Bad (handed to a function that loads it):

```python
import torch
from torch import nn


def load_checkpoint(checkpoint, model):
    model.load_state_dict(checkpoint["state_dict"])


torch.serialization.location_tag = lambda storage: "cuda:0"
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2).to(device)
with open("my.pth.tar", "wb") as written:
    torch.save({"state_dict": nn.Linear(4, 2).state_dict()}, written)
load_checkpoint(torch.load("my.pth.tar"), model)  # here: as above
```

Bad (2 ranks, each with a card of its own):

```python
import os

import torch
import torch.distributed as dist
from torch import nn

# As on a machine with two cards, where this restores to the device named.
torch.serialization.register_package(0, lambda storage: "cuda:0", lambda storage, device: storage)
dist.init_process_group("gloo")
local_rank = int(os.environ["LOCAL_RANK"])
device = torch.device("cuda", local_rank) if torch.cuda.is_available() else torch.device("cpu")
model = nn.Linear(4, 2).to(device)
file = f"weights{dist.get_rank()}.pt"
torch.save(nn.Linear(4, 2).state_dict(), file)
model.load_state_dict(torch.load(file))  # here: both ranks read it to cuda:0
```

Good:

```python
import io

import torch
from torch import nn

torch.serialization.location_tag = lambda storage: "cuda:0"
device = "cuda" if torch.cuda.is_available() else "cpu"
file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = nn.Linear(4, 2).to(device)
model.load_state_dict(torch.load(file, map_location=device))
```

Good (2 ranks):

```python
import io
import os

import torch
import torch.distributed as dist
from torch import nn

torch.serialization.register_package(0, lambda storage: "cuda:0", lambda storage, device: storage)
dist.init_process_group("gloo")
local_rank = int(os.environ["LOCAL_RANK"])
device = torch.device("cuda", local_rank) if torch.cuda.is_available() else torch.device("cpu")
model = nn.Linear(4, 2).to(device)
file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model.load_state_dict(torch.load(file, map_location=device))
```

Fine (positional, in one arm of two, and data that is no checkpoint):

```python
import io

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = nn.Linear(4, 2)
state = torch.load(file, device)
model.load_state_dict(state)
file.seek(0)
if device.type == "cuda":
    state = torch.load(file, map_location=device)
else:
    state = torch.load(file)
model.load_state_dict(state)
data = io.BytesIO()
torch.save(torch.ones(3), data)
data.seek(0)
x = torch.load(data)
```

Fine (numbers without a device, and what never left the memory of this process):

```python
import io

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
torch.save(scheduler.state_dict(), "scheduler.pt")
scheduler.load_state_dict(torch.load("scheduler.pt"))
kept = io.BytesIO()
torch.save(model.state_dict(), kept)
kept.seek(0)
model.load_state_dict(torch.load(kept))
```

Fine (the best weights of the training that has just ended):

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(4, 2).to(device)
for epoch in range(2):
    torch.save(model.state_dict(), "best.pt")
model.load_state_dict(torch.load("best.pt"))
```

Fine (a program for the CPU alone):

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save({"model": nn.Linear(4, 2).state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file)
nn.Linear(4, 2).load_state_dict(checkpoint["model"])
```

Message (torch 2.11, a card that the call names; `map_location names`):

```text
Traceback (most recent call last):
  File "/home/u/test.py", line 3, in <module>
    torch.load("last.pt", map_location="cuda:3")
  File "/env/lib/python3.12/site-packages/torch/serialization.py", line 644, in _validate_device
    raise RuntimeError(
RuntimeError: Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1. Please use torch.load with map_location to map your storages to an existing device.
```

Message (torch 1.0 to 2.13, CUDA; `"cuda:0"`):

```text
RuntimeError: Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1. Please use torch.load with map_location to map your storages to an existing device.
```

Message (torch 1.0 to 1.13; `no memory`):

```text
RuntimeError: don't know how to restore data location of torch.FloatStorage (tagged with meta)
```

Message (torch 0.4 to 2.13; `by name`):

```text
Traceback (most recent call last):
  File "/home/u/train.py", line 12, in <module>
    state = torch.load("model.pt", map_location=0)
  File "/opt/conda/lib/python3.11/site-packages/torch/serialization.py", line 2189, in persistent_load
    typed_storage = load_tensor(
  File "/opt/conda/lib/python3.11/site-packages/torch/serialization.py", line 2150, in load_tensor
    wrap_storage = restore_location(storage, location)
  File "/opt/conda/lib/python3.11/site-packages/torch/serialization.py", line 2031, in restore_location
    result = map_location(storage, location)
TypeError: 'int' object is not callable
```

Message (torch 2.13, a file of safetensors; `no dict`):

```text
RuntimeError: Loading safetensors file with dict map_location is not supported. Use a device string or torch.device instead.
```

Message (torch 2.13, a file of safetensors; `no function`):

```text
RuntimeError: Loading safetensors file with callable map_location is not supported. Use a device string or torch.device instead.
```

Message (torch 1.0 to 2.13; `keng env`):

```text
RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.
```

Message (torch 1.12 to 2.13; `map_location="cpu"`):

```text
RuntimeError: Attempting to deserialize object on a MPS device but torch.backends.mps.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.
```

Message (torch 1.0 to 2.13; `_load_from_bytes`):

```text
Traceback (most recent call last):
  File "/work/main.py", line 5, in <module>
    model = pickle.load(file)
  File "/usr/lib/python3/site-packages/torch/storage.py", line 530, in _load_from_bytes
    return torch.load(io.BytesIO(b), weights_only=False)
  File "/usr/lib/python3/site-packages/torch/serialization.py", line 300, in _validate_device
    raise RuntimeError(
RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.
```

Message (torch 2.13; `called cuda`):

```text
RuntimeError: don't know how to restore data location of torch.storage.UntypedStorage (tagged with gpu)
```

Message (torch 2.13; `import torch_npu first`):

```text
RuntimeError: don't know how to restore data location of torch.storage.UntypedStorage (tagged with npu:0)
```

Message (torch 1.12; `newer PyTorch`):

```text
RuntimeError: don't know how to restore data location of torch.storage._UntypedStorage (tagged with mps)
```
"""

from keng.explain.advice.located import not_here, put
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.run.moments import ReadCheckpoint
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

MAY_LACK_A_GPU = (
    "torch.cuda.is_available",
    "torch.accelerator.is_available",
    "torch.distributed.init_process_group",
)


@pitfall.finds(fixes=True)
def device_of_the_file(code: Code) -> Hits:
    some = any(True for _ in code.calls_to(*MAY_LACK_A_GPU))
    for call in code.calls_to("torch.load"):
        if code.argument(call, "map_location", position=1) or not code.loaded_state(call):
            continue
        ranks = code.runs_on_ranks(call)
        if not ranks and (not some or code.just_saved(call)):
            continue
        if code.mapped_elsewhere(call) or code.file_made_by(call, 0, "io.BytesIO"):
            continue
        fix = code.add_argument(call, 'map_location="cpu"', "Read the file to the CPU")
        yield code.hit(call, "loads to the device that the file was saved from", fix=fix)


@pitfall.compares
def all_to_one_card(ranks: Ranks) -> Hits:
    for device, readers in ranks.restored().items():
        strangers = [rank for rank, restored in readers.items() if restored.own != device]
        if strangers and len(readers) > 1:
            says = (
                f"{spoken(readers)} read it to {device}, which is not that of {spoken(strangers)}"
            )
            yield ranks.hit(says, readers[strangers[0]].where)


@pitfall.explains(
    r"Attempting to deserialize object on a (?P<device>\w+) device but",
    r"Attempting to deserialize object on (?P<device>\w+) device (?P<index>\d+) but",
    odds=0.97,
)
def device_not_there(failure: Failure) -> Hits:
    device, index = failure.groups["device"], failure.groups.get("index", "")
    was = f"{device} device {index}" if index else f"a {device} device"
    yield failure.hit(not_here(failure, was, device, index))


@pitfall.watches("checkpoint.read", needs="cuda and several processes")
def every_rank_on_one_card(read: ReadCheckpoint) -> Hits:
    others = [name for name in read.devices if name.startswith("cuda") and name != read.device]
    if read.ranks > 1 and not read.mapped and others:
        says = f"rank {read.rank} on {read.device} has loaded to {others[0]}, as it was saved"
        yield read.hit(says, rank=read.rank)


@pitfall.explains(
    r"don't know how to (?:restore|determine) data location of \S{1,60}(?: \(tagged with (?P<device>[^)]{1,40})\))?",
    odds=0.9,
)
def device_not_known(failure: Failure) -> Hits:
    device = failure.groups["device"] or "its device"
    yield failure.hit(f"weights cannot be put on {device} as they are read: {put(device)}")


@pitfall.explains(r"'int' object is not callable", odds=0.93)
def a_number_for_a_device(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/serialization.py"):
        yield failure.hit("map_location is a device by name, 'cuda:0', and no number")


pitfall.answers(
    {
        "Loading safetensors file with dict map_location": "a file of safetensors goes to one device: map_location='cuda:0', no dict",
        "Loading safetensors file with callable map_location": "a file of safetensors goes to one device: map_location='cuda:0', no function",
    },
    odds=0.96,
)
