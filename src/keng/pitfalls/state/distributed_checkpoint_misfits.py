r"""A distributed checkpoint does not hold what is loaded from it.

`torch.distributed.checkpoint` saves a folder: the pieces of the ranks, and a file `.metadata` that rank 0 writes last and that tells which piece belongs where. Loading
fills a state dict that is there already, so its names and sizes decide: each must stand in the folder under the same name, with all that wraps the model in it, and in the same
size. What the error says stands at its end, below the traceback of the rank.

Cure: save and load the same nesting, `{"model": get_model_state_dict(model)}`; `FileSystemReader(path).read_metadata().state_dict_metadata` lists what is there;
`DefaultLoadPlanner(allow_partial_load=True)` leaves out what is not.

Bad (another name):

```python
import tempfile

import torch
import torch.distributed.checkpoint as dcp

folder = tempfile.mkdtemp()
dcp.save({"model": {"weight": torch.ones(2)}}, checkpoint_id=folder)
dcp.load({"weight": torch.zeros(2)}, checkpoint_id=folder)  # seen: `weight`
```

Bad (another size):

```python
import tempfile

import torch
import torch.distributed.checkpoint as dcp

folder = tempfile.mkdtemp()
dcp.save({"weight": torch.ones(2)}, checkpoint_id=folder)
dcp.load({"weight": torch.zeros(3)}, checkpoint_id=folder)  # seen: `[2]`
```

Bad (a state that never stepped):

```python
import torch
from torch import nn
from torch.distributed.checkpoint.state_dict import (
    get_optimizer_state_dict,
    set_optimizer_state_dict,
)

small, large = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2))
adam = torch.optim.Adam(small.parameters())
state = get_optimizer_state_dict(small, adam)
adam = torch.optim.Adam(large.parameters())
set_optimizer_state_dict(large, adam, state)  # seen: `0.weight`
```

Good:

```python
import tempfile

import torch
import torch.distributed.checkpoint as dcp

folder = tempfile.mkdtemp()
dcp.save({"model": {"weight": torch.ones(2)}}, checkpoint_id=folder)
state = {"model": {"weight": torch.zeros(2)}}
dcp.load(state, checkpoint_id=folder)
```

Message (torch 2.3 to 2.13; `overwrite=True`):

```text
RuntimeError: Checkpoint already exists and self.overwrite=False.
```

Message (torch 2.13; `no .metadata`):

```text
AssertionError: metadata is None; global metadata read failed: [Errno 2] No such file or directory: '/job/step_100/.metadata'; rank local metadata read failed: [Errno 2] No such file or directory: '/job/step_100/__0.metadata'
```

Message (torch 2.13; `damaged`):

```text
AssertionError: metadata is None; global metadata read failed: invalid load key, 'x'.; rank local metadata read failed: [Errno 2] No such file or directory: '/job/step_100/__0.metadata'
```

Message (torch 2.13; `the whole folder`):

```text
torch.distributed.checkpoint.api.CheckpointException: CheckpointException ranks:dict_keys([0])
Traceback (most recent call last): (RANK 0)
  File "/env/lib/python3.11/site-packages/torch/distributed/checkpoint/utils.py", line 281, in all_gather
    result = map_fun()
  File "/env/lib/python3.11/site-packages/torch/distributed/checkpoint/filesystem.py", line 866, in read_data
    with self.fs.create_stream(new_path, "rb") as stream:
FileNotFoundError: [Errno 2] No such file or directory: '/job/step_100/__0_0.distcp'
```

Message (torch 2.13; `no tensor`):

```text
ValueError: Invalid checkpoint metadata for step, expected BytesStorageMetadata but found <class 'torch.distributed.checkpoint.metadata.TensorStorageMetadata'>
```

Message (torch 2.13; `rank 0`):

```text
RuntimeError: The option indicates that model state_dict is required to save or load, but model state_dict is empty.rank = dist.get_rank()=0.
```

Message (torch 2.13; `full_state_dict=True`):

```text
ValueError: full_state_dict must be True when broadcast_from_rank0 is True.
```

Message (torch 2.1 to 2.13; `.metadata`):

```text
torch.distributed.checkpoint.api.CheckpointException: CheckpointException ranks:dict_keys([0])
Traceback (most recent call last): (RANK 0)
  File "/env/lib/python3.10/site-packages/torch/distributed/checkpoint/utils.py", line 167, in reduce_scatter
    local_data = map_fun()
  File "/env/lib/python3.10/site-packages/torch/distributed/checkpoint/filesystem.py", line 640, in read_metadata
    with self.fs.create_stream(path, "rb") as metadata_file:
FileNotFoundError: [Errno 2] No such file or directory: 'checkpoints/step-100/.metadata'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Missing key in checkpoint state_dict: (?P<name>\S{1,300}?)\.?(?:\s|$)",
    odds=0.96,
)
def name_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"the checkpoint has no `{failure.groups['name']}`: it was saved under another name, as with or without `model.` before it, or "
        "not at all"
    )


@pitfall.explains(
    r"Missing optimizer state for parameter '(?P<name>\S{1,300}?)' in checkpoint", odds=0.96
)
def never_stepped(failure: Failure) -> Hits:
    yield failure.hit(
        f"the optimizer had no state of `{failure.groups['name']}` when it was saved: frozen or without a gradient until then, not in the model, or under another name"
    )


@pitfall.explains(
    r"Size mismatch between saved torch\.Size\((?P<saved>\[[\d, ]*\])\) and current: torch\.Size\((?P<now>\[[\d, ]*\])\) for (?P<name>\S{1,300})",
    odds=0.97,
)
def of_another_size(failure: Failure) -> Hits:
    saved, now, name = (failure.groups[key] for key in ("saved", "now", "name"))
    yield failure.hit(
        f"`{name}` was saved as {saved} and is {now} in this model: the same configuration"
    )


@pitfall.explains(r"No such file or directory: '(?P<path>[^']{1,300})/\.metadata'", odds=0.96)
def folder_without_metadata(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no .metadata in `{failure.groups['path']}`: a wrong path, one that not all ranks see, or a save that did not come to its end"
    )


@pitfall.explains(
    r"global metadata read failed: (?P<why>invalid load key|pickle data was truncated|Ran out of input)",
    odds=0.97,
)
def metadata_damaged(failure: Failure) -> Hits:
    yield failure.hit(
        f"the .metadata of the checkpoint is there and damaged ({failure.groups['why']}): a save or a copy that did not come to its end"
    )


@pitfall.explains(r"No such file or directory: '(?P<path>[^']{1,300}\.distcp)'", odds=0.97)
def part_is_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['path']}` holds a rank's part of the checkpoint and is not here: copy the whole folder, of all machines where each "
        "wrote on a disk of its own"
    )


CURES = {
    "Checkpoint already exists and self.overwrite": "the folder holds a checkpoint: another folder for each step, or overwrite=True",
    "global metadata read failed": "there is no .metadata in the folder: a wrong path, or a save that did not come to its end",
    "Invalid checkpoint metadata for": "what was saved as a tensor is loaded as no tensor, or the other way",
    "but model state_dict is empty": "on ranks other than 0 the state to load is empty: broadcast_from_rank0=True where rank 0 alone has read it",
    "full_state_dict must be True when broadcast_from_rank0": "broadcast_from_rank0 sends whole tensors: full_state_dict=True with it",
    "Cannot detect which StorageReader or StorageWriter": "the folder above the path is not there or may not be written; a path in the cloud wants fsspec installed",
    "must be specified if storage_reader/storage_writer is None": "save and load want a folder: checkpoint_id=path",
}
pitfall.answers(CURES, odds=0.95)
