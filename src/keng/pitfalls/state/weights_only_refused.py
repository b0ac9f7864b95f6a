r"""`torch.load` refuses what is no plain data.

A checkpoint is a pickle, and a pickle can run any program when it is read. Since 2.6 `torch.load` has
`weights_only=True` as its default: tensors, numbers, texts, lists and dicts are read, every other class
is refused. `weights_only=False` reads it all and runs whatever the file says.

Cure: save plain data, `vars(args)` for `args` and `float(x)` for a NumPy number. For a file that is
there already, allow the one class: `with torch.serialization.safe_globals([argparse.Namespace]):`; and
write `weights_only=False` only for files that you made yourself.

Bad:

```python
import argparse
import io

import torch
from torch import nn

args = argparse.ArgumentParser().parse_args([])
model = nn.Linear(4, 2)
file = io.BytesIO()
torch.save({"args": args, "model": model.state_dict()}, file)  # here: a Namespace is not plain data
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")
```

Bad (a whole model):

```python
import io

import torch
from torch import nn

file = io.BytesIO()
state = {"net": nn.Sequential(nn.Linear(4, 2))}
torch.save(state, file)
file.seek(0)
state = torch.load(file, map_location="cpu")  # seen: a model is not plain data
```

Bad (a NumPy number; `weights_only=False`):

```python
import io

import torch

file = io.BytesIO()
scores = torch.ones(3).numpy()
torch.save({"best": scores.mean()}, file)
file.seek(0)
state = torch.load(file)  # seen: NumPy's numbers are a class of their own
```

Good:

```python
import argparse
import io

import torch
from torch import nn

args = argparse.ArgumentParser().parse_args([])
model = nn.Linear(4, 2)
file = io.BytesIO()
torch.save({"args": vars(args), "model": model.state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file, map_location="cpu")
```

Fine (read with the class allowed, or all allowed, and saved as plain data):

```python
import argparse
import io

import torch

args = argparse.ArgumentParser().parse_args([])
file = io.BytesIO()
torch.save({"args": args, "step": 1}, file)
file.seek(0)
state = torch.load(file, weights_only=False)
file.seek(0)
with torch.serialization.safe_globals([argparse.Namespace]):
    state = torch.load(file, weights_only=False)
file = io.BytesIO()
torch.save({"args": vars(state["args"]), "step": state["step"]}, file)
```

Message (torch 2.0; `torch.load(..., weights_only=False)`):

```text
_pickle.UnpicklingError: Weights only load failed. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution.Do it only if you get the file from a trusted source. WeightsUnpickler error: Unsupported class numpy.core.multiarray._reconstruct
```

Message (torch 2.13.0):

```text
RuntimeError: Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only if you got the file from a trusted source.
```

Message (torch 2.6 to 2.13):

```text
RuntimeError: Cannot use ``weights_only=True`` with files saved in the legacy .tar format. In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`.
```

Message (torch 2.4 and 2.5, a warning):

```text
FutureWarning: You are using `torch.load` with `weights_only=False` (the current default value), which uses the default pickle module implicitly. It is possible to construct malicious pickle data which will execute arbitrary code during unpickling.
```

Message (torch 2.6, cut off):

```text
_pickle.UnpicklingError: Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`.
```

Message (transformers before torch 2.6):

```text
ValueError: Due to a serious vulnerability issue in `torch.load`, even with `weights_only=True`, we now require users to upgrade torch to at least v2.6 in order to use the function.
```

Message (torch 2.6 to 2.13, its end cut off):

```text
_pickle.UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, do those steps only if you trust the source of the checkpoint.
```

Message (torch 2.6 to 2.13; `what it names next`):

```text
_pickle.UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, do those steps only if you trust the source of the checkpoint.
        (1) In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`.
        WeightsUnpickler error: Unsupported global: GLOBAL omegaconf.listconfig.ListConfig was not an allowed global by default.
```

Message (torch 2.6 to 2.13, a class of the program itself; `safe_globals([Config])`):

```text
_pickle.UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, do those steps only if you trust the source of the checkpoint.
        (1) In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`.
        WeightsUnpickler error: Unsupported global: GLOBAL __main__.Config was not an allowed global by default.
```

Message (torch 2.6 to 2.13, called by a library; `TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD=1`):

```text
Traceback (most recent call last):
  File "/work/main.py", line 5, in <module>
    model = YOLO("yolov8n.pt")
  File "/usr/lib/python3/site-packages/ultralytics/nn/tasks.py", line 732, in torch_safe_load
    ckpt = torch.load(file, map_location="cpu")
  File "/usr/lib/python3/site-packages/torch/serialization.py", line 1524, in load
    raise pickle.UnpicklingError(_get_wo_message(str(e))) from None
_pickle.UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, do those steps only if you trust the source of the checkpoint.
        (1) In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`.
        WeightsUnpickler error: Unsupported global: GLOBAL ultralytics.nn.tasks.DetectionModel was not an allowed global by default.
```
"""

from keng.ckpt.checkpoint import Checkpoint
from keng.explain.advice.refused import read_all_the_same, told_of
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code
from keng.tables.pickled_names import allowing

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def arguments_saved_as_they_are(code: Code) -> Hits:
    plain = [load for load in code.calls_to("torch.load") if not code.reads_all(load)]
    for _, entries in code.saves():
        for entry in entries if plain else ():
            if not code.parsed_arguments(entry):
                continue
            name = code.text_of(entry)
            fix = Fix(f"Save `vars({name})`", (code.replace(entry, f"vars({name})"),))
            yield code.hit(
                entry, f"`{name}` is a Namespace, which torch.load refuses since 2.6", fix
            )


@pitfall.explains(
    r"Unsupported (?:global: GLOBAL|class) (?P<name>(?!torch\.storage\.)[\w.]{1,200})", odds=0.95
)
def class_not_allowed(failure: Failure) -> Hits:
    name = failure.groups["name"].rstrip(".")
    cure = read_all_the_same(failure, name)
    yield failure.hit(f"{told_of(name)}; if you trust the file, {cure}", refused=name)


@pitfall.explains(r"Cannot use ``weights_only=True`` with TorchScript archives", odds=0.95)
def a_script(failure: Failure) -> Hits:
    yield failure.hit(
        "the file is a TorchScript program, not a checkpoint: torch.jit.load reads it"
    )


@pitfall.inspects("refused")
def names_not_allowed(checkpoint: Checkpoint) -> Hits:
    refused = sorted(map(str, checkpoint.refused))
    if checkpoint.format not in ("zip", "legacy") or checkpoint.modules:
        return  # of a whole model, that is what is wrong
    shown = ", ".join(f"`{name}`" for name in refused[:6])
    more = f" and {len(refused) - 6} more" if len(refused) > 6 else ""
    says = f"torch.load refuses the file since 2.6, because of {shown}{more}"
    cure = "if `keng ckpt scan` says KNOWN, load it with weights_only=False"
    if checkpoint.calls:
        cure = "`keng ckpt scan` tells what it would call, `keng ckpt convert` leaves that out"
    if library := allowing(refused):
        cure = f"after `import {library}`, which allows its own classes, it takes the file"
    yield checkpoint.hit(f"{says}; {cure}", names=len(refused))


@pitfall.explains(
    r"You are using `torch\.load` with `weights_only=False` \(the current default", odds=0.95
)
def default_will_change(failure: Failure) -> Hits:
    yield failure.hit(
        "torch.load will refuse what is no plain data from 2.6 on: weights_only=True, or False for a file of one's own"
    )


@pitfall.explains(
    r"Weights only load failed(?!.{0,2000}?(?:[Uu]nsupported (?:global|GLOBAL|class|operand)|Can only (?:build|create)|must be imported))",
    r"serious vulnerability issue in `torch\.load`",
    odds=0.8,
)
def refused_without_its_name(failure: Failure) -> Hits:
    if "vulnerability" in failure.message:
        yield failure.hit(
            "transformers loads pickled weights by torch 2.6 or later alone: a newer torch, or safetensors"
        )
        return
    yield failure.hit(
        "torch.load takes plain data alone since 2.6: safe_globals for what the end of the message names, weights_only=False "
        "for a file of one's own, or safetensors"
    )
