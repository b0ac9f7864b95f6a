r"""A state dict of a sharded model is taken, saved or loaded in a way that it does not have.

`get_state_dict` and `set_state_dict` of `torch.distributed.checkpoint.state_dict` name every entry by its place in the whole model, and the optimizer's by the parameter's name. They are asked of the outermost model with the
optimizers that hold its parameters. `dcp.save` flattens nested keys with dots, and `async_save` copies to the CPU first, which wants a backend of the CPU. In torch 2.13 `enable_consolidation=True` asks for
the size of floats alone, and fails at whole numbers and masks.

Cure: `get_state_dict(model, optimizer)` and `set_state_dict(model, optimizer, ...)` of the outermost model, on all ranks; keys that stay different when they are joined by dots;
`init_process_group("cpu:gloo,cuda:nccl")` for `async_save`; `keng ckpt convert` for pieces in safetensors that torch does not put together.

Bad (no optimizer):

```python
import torch
from torch.distributed.checkpoint.state_dict import get_optimizer_state_dict

model = torch.nn.Linear(2, 2)
state = get_optimizer_state_dict(model, [])  # seen: `the optimizer`
```

Bad (two keys that flatten to one):

```python
import tempfile

import torch
import torch.distributed.checkpoint as dcp

state = {"model": {"weight": torch.ones(2)}, "model.weight": torch.ones(2)}
dcp.save(state, checkpoint_id=tempfile.mkdtemp())  # seen: `model.weight`
```

Bad (whole numbers, where `HuggingFaceStorageWriter` is to make one file of the pieces):

```python
import tempfile

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import HuggingFaceStorageWriter

state = {"weight": torch.ones(2, 2), "steps": torch.tensor(3)}
writer = HuggingFaceStorageWriter(
    tempfile.mkdtemp(),
    fqn_to_index_mapping=dict.fromkeys(state, 1),
    save_distributed=True,
    enable_consolidation=True,
)
dcp.save(state, storage_writer=writer)  # seen: `keng ckpt convert`
```

Good:

```python
import tempfile

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import get_state_dict

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.AdamW(model.parameters())
weights, moments = get_state_dict(model, optimizer)
dcp.save({"model": weights, "optimizer": moments}, checkpoint_id=tempfile.mkdtemp())
```

Message (torch 2.2 to 2.13; `outermost`):

```text
RuntimeError: layers.0._flat_param contains _flat_param. This can happen if the model is not the root module.
```

Message (torch 2.5 to 2.13; `lr`):

```text
RuntimeError: All the parameters in the same parameter group should have the same saved param_group value. But 2.weight.lr is 0.1 while other(s) is 0.001.
```

Message (torch 2.13; `an empty group`):

```text
ValueError: There are param groups that have zero parameters. In such a case, DSD only support exactly one param group with zero parameters.But the loaded state_dict has zero or more than one param groups that have zero parameters.
```

Message (torch 2.1 to 2.13; `cpu:gloo,cuda:nccl`):

```text
AssertionError: A CPU backend must be enabled for async save; try initializing process group with 'cpu:gloo,cuda:nccl'
```

Message (torch 2.4 to 2.13; `background`):

```text
RuntimeError: Checkpoint background process is dead. Exit code: -9
```

Message (torch 2.13; `all ranks`):

```text
AssertionError: Key(s) present in other ranks but not this one, difference: {'scheduler'}
```

Message (torch 2.3 to 2.13; `no tensor`):

```text
RuntimeError: Non-tensor value identified at step. At this time BroadcastingTorchSaveReader only supports loading Tensors.
```

Message (torch 2.13; `plain values`):

```text
RuntimeError: un(deep)copyable object of type <class 'generator'>
```

Message (torch 2.3 to 2.13; `another folder`):

```text
UserWarning: Detected an existing checkpoint in /job/ckpt, overwriting since self.overwrite=True. Past version 2.5 of PyTorch, `overwrite` will default to False. Set this variable to True to maintain this functionality or False to raise when an existing checkpoint is found.
```

Message (torch 2.3 to 2.13; `state_dict_type`):

```text
RuntimeError: Expected state_dict_config of type <class 'torch.distributed.fsdp.api.ShardedStateDictConfig'> but got <class 'torch.distributed.fsdp.api.FullStateDictConfig'>
```

Message (torch 2.2 to 2.13; `SHARDED_STATE_DICT`):

```text
RuntimeError: Found state_dict_type LOCAL_STATE_DICT. DeviceMesh is not compatible with LOCAL_STATE_DICT. Please set state_dict_type to SHARDED_STATE_DICT to get DTensor state_dict.
```

Message (torch 2.2 to 2.13; `get_state_dict`):

```text
FutureWarning: FSDP.state_dict_type() and FSDP.set_state_dict_type() are being deprecated. Please use APIs, get_state_dict() and set_state_dict(), which can support different parallelisms, FSDP1, FSDP2, DDP. API doc: https://pytorch.org/docs/stable/distributed.checkpoint.html
```

Message (torch 1.12 to 2.13; `FULL_STATE_DICT`):

```text
RuntimeError: ``sharded_state_dict`` can only be used when parameters are flatten and sharded.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?P<name>\S{1,200}) contains _flat_param\. This can happen if the model is not the root",
    odds=0.97,
)
def of_an_inner_part(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is a flat parameter of a part: the state dict is asked of the outermost FSDP model"
    )


@pitfall.explains(r"duplicated flatten key (?P<name>\S{1,200})", odds=0.97)
def two_keys_become_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"two entries become `{failure.groups['name']}` when their keys are joined by dots: rename one of them"
    )


@pitfall.explains(
    r"should have the same saved param_group value\. But (?P<name>\S{1,200})\.(?P<key>\w+) is (?P<one>\S{1,40}) while other\(s\) is "
    r"(?P<other>\S{1,40}?)\.(?:\s|$)",
    odds=0.97,
)
def groups_were_others(failure: Failure) -> Hits:
    name, key, one, other = (failure.groups[key] for key in ("name", "key", "one", "other"))
    yield failure.hit(
        f"`{name}` was saved with {key}={one} and others of its group with {other}: the optimizer is made with the groups that it had then"
    )


@pitfall.explains(r"Checkpoint background process is dead\. Exit code: (?P<code>-?\w+)", odds=0.96)
def saving_process_died(failure: Failure) -> Hits:
    yield failure.hit(
        f"the background process that writes the checkpoint ended with {failure.groups['code']} (-9: killed, most often as the memory of the "
        "machine was full; else see its own error)"
    )


@pitfall.explains(
    r"Expected (?P<which>state_dict_config|optim_state_dict_config) of type <class '[\w.]*?(?P<wants>\w+)'> but got <class '[\w.]*?(?P<came>\w+)'>",
    odds=0.97,
)
def config_of_another_type(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"state_dict_type asks for {wants}, and {came} comes: the config of the same kind, or the other StateDictType"
    )


@pitfall.explains(r"torch\.finfo\(\) requires a floating point input type", odds=0.99)
def whole_numbers_in_one_file(failure: Failure) -> Hits:
    """The pieces are written by then, and the error names none of them."""
    if (
        failure.passed_through("_consolidate_hf_safetensors.py")
        or "_consolidate_hf" in failure.message
    ):
        yield failure.hit(
            "the pieces are written, and whole numbers or masks among them keep torch from making one file of them: "
            "`keng ckpt convert FOLDER model.safetensors` does, or save without enable_consolidation"
        )


CURES = {
    "Optimizers are not passed in but optim_only": "the state of optimizers is asked for and none is given: the optimizer, or a list of them, as second argument",
    "There are param groups that have zero parameters": "the optimizer has an empty group of parameters and the checkpoint none, or more: leave empty groups out",
    "parameter group that has zero parameters, multiple optimizers": "an empty group of parameters goes with one optimizer only: leave empty groups out",
    "A CPU backend must be enabled for async save": "async_save works on copies on the CPU, and the process group has no backend for it: init_process_group('cpu:gloo,cuda:nccl')",
    "present in other ranks but not this one": "the ranks save other entries: all ranks with the same keys, and what rank 0 alone has goes into a file of its own",
    "only supports loading Tensors.": "a file of torch.save is spread over the ranks, and it holds what is no tensor: load that by torch.load, and tensors alone this way",
    "un(deep)copyable object of type": "async_save copies what it saves, and this cannot be copied: leave it out, or save plain values of it",
    "Detected an existing checkpoint in": "the folder holds a checkpoint, which is written over, and a break now loses both: another folder for each step",
    "DeviceMesh is not compatible with LOCAL_STATE_DICT": "with a device mesh a state dict is full or sharded: StateDictType.SHARDED_STATE_DICT",
    "FSDP.state_dict_type() and FSDP.set_state_dict_type() are": "right as it is, and to go some day: get_state_dict(model, optimizer, options=StateDictOptions(full_state_dict=True))",
    "Getting submodules only model/optim state_dict": "submodules= is to go some day: take the whole state dict, and keep the keys that begin with the part's name",
    "Passing model_state_dict as a": "a state dict for each module is to go some day: one dict, with the names of the whole model",
    'must have the keys "state"to be a valid': "what is loaded is no optimizer's state dict, or the whole checkpoint: checkpoint['optimizer']",
    "_state_dict`` can only be used when parameters are flatten": "the parameters are whole, as FSDP shards nothing over one process or with NO_SHARD: StateDictType.FULL_STATE_DICT, or several processes by torchrun",
    "ZStandard extension is unavailable because no module": "compressing a checkpoint wants the package zstandard: pip install zstandard",
    "Stream with ZStandard compression cannot be processed": "the checkpoint was compressed, and the package for it is not here: pip install zstandard",
}
pitfall.answers(CURES, odds=0.96)
