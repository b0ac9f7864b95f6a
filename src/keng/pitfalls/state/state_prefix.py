r"""The keys of a state dict carry the name of a wrapper.

`DataParallel`, `DistributedDataParallel` and `torch.compile` hold the model as an attribute, so the
state dict of the wrapped model has `module.` or `_orig_mod.` in front of every name, further in where
only a part was wrapped. A bare model, or one that is wrapped otherwise, does not know these names. (A
class that keeps its network in `self.model` puts `model.` there in the same way.)

Cure: save the state dict of the model inside, `model.module.state_dict()`; for a file that is there
already take the prefix off each key with `removeprefix`. `lstrip("module.")` takes off letters, not a
prefix.

Bad:

```python
import io

import torch
from torch import nn

model = nn.DataParallel(nn.Linear(4, 2))
file = io.BytesIO()
torch.save(model.state_dict(), file)  # here: every key begins with `module.`
file.seek(0)
nn.Linear(4, 2).load_state_dict(torch.load(file, map_location="cpu"))
```

Bad (torch.compile):

```python
import io

import torch
from torch import nn

model = torch.compile(nn.Linear(4, 2))
file = io.BytesIO()
torch.save({"epoch": 1, "weights": model.state_dict()}, file)  # here: `_orig_mod.`
file.seek(0)
state = torch.load(file, map_location="cpu")
nn.Linear(4, 2).load_state_dict(state["weights"])
```

Bad (letters are taken off):

```python
from torch import nn

state = nn.DataParallel(nn.Sequential(nn.Linear(4, 2))).state_dict()
state["module.decoder.weight"] = state.pop("module.0.weight")
state = {key.lstrip("module."): value for key, value in state.items()}  # here: letters, no prefix
```

Proof:

```python
assert "decoder.weight" not in state
```

Bad (the model is wrapped, the file is not):

```python
from torch import nn

state = nn.Linear(4, 2).state_dict()
model = nn.DataParallel(nn.Linear(4, 2))
model.load_state_dict(state)  # seen: `module.` is missing
```

Good:

```python
import io

import torch
from torch import nn

model = nn.DataParallel(nn.Linear(4, 2))
file = io.BytesIO()
torch.save(model.module.state_dict(), file)
file.seek(0)
state = torch.load(file, map_location="cpu")
state = {key.removeprefix("module."): value for key, value in state.items()}
nn.Linear(4, 2).load_state_dict(state)
```

Fine (a run that resumes into the same wrapper; a path and a word):

```python
import io

import torch
from torch import nn

model = nn.DataParallel(nn.Linear(4, 2))
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
model.load_state_dict(torch.load(file, map_location="cpu"))
name = "./train.py".lstrip("./")
value = "0.5".lstrip("0.")
```

Message (torch 1.13 to 2.13, CUDA):

```text
RuntimeError: Error(s) in loading state_dict for ResNet:
        Missing key(s) in state_dict: "fc.weight", "fc.bias".
        Unexpected key(s) in state_dict: "module.fc.weight", "module.fc.bias".
```

Message (the two lines alone; `model.module.load_state_dict`):

```text
Missing key(s) in state_dict "module.encoders.0.conv.weight"
Unexpected key(s) in state_dict "encoders.0.conv.weight"
```

Message (torch 0.3):

```text
KeyError: 'unexpected key "module.features.conv0.weight" in state_dict'
```

Message (torch 1.0 to 2.13, shortened by hand; `is wrapped, the file is not`):

```text
RuntimeError: Error(s) in loading state_dict for DataParallel:
Missing key(s) in state_dict: "module.conv1.weight", "module.bn1.weight", ...
```

Message (torch 1.0 to 2.13, shortened by hand; `module.conv1.weight`):

```text
RuntimeError: Error(s) in loading state_dict for ResNet:
        Unexpected key(s) in state_dict: "module.conv1.weight", "module.bn1.weight", ...
```
"""

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.mapping import in_words
from keng.ckpt.nodes import Tensor
from keng.ckpt.tree import dotted
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code
from keng.tables.state_names import WRAPPERS

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def wrapped_state_saved(code: Code) -> Hits:
    for call in code.method_calls("state_dict"):
        model = code.receiver(call)
        inside, by = code.wrapped_by(model), code.prepared_by(model)
        if not (inside or by) or not code.saved(call) or code.loads_wrapped():
            continue
        name, edit = code.text_of(model), code.append(model, f".{inside}")
        says = f"every key of `{name}`'s state dict begins with `{inside or 'module'}.`"
        if by is not None:
            edit = code.replace(model, f"{code.text_of(by)}.unwrap_model({name})")
            says = f"where several processes run, {says}"
        yield code.hit(call, says, fix=Fix(f"Save the model inside `{name}`", (edit,)))


@pitfall.finds(fixes=True)
def letters_stripped(code: Code) -> Hits:
    for call in code.method_calls("lstrip"):
        prefix = code.text_constant(call.args[0]) if call.args else ""
        if prefix.endswith(".") and len(set(prefix)) > 2 and prefix[:-1].isidentifier():
            fix = Fix("Take off the prefix", (code.rename_attribute(call.func, "removeprefix"),))
            yield code.hit(call, f"takes off any of the letters of `{prefix}`, not the prefix", fix)


@pitfall.explains(
    r"Error\(s\) in loading state_dict for|(?:Missing|Unexpected) key\(s\) in state_dict",
    odds=0.95,
)
def names_differ_by_a_part(failure: Failure) -> Hits:
    errors = failure.state_errors
    part, owner = errors.wrapper()
    if not owner:
        part, owner = errors.wrapper_by_class(failure.message)
    if (letters := errors.cut_off) > 0:
        yield failure.hit(
            f"{letters} letters were cut off names that do not begin with a prefix, as by `key[{letters}:]`: `key.removeprefix(...)` takes it where it is"
        )
    elif owner == "file":
        plan = failure.plan
        cure = f'`{{key.replace("{part}", "", 1): value for key, value in state.items()}}`'
        key = next(key for key in errors.unexpected if part in key)
        says = f"`{part}` is in the file's names, as in `{key}`: "
        says += in_words(plan) if plan.settled else cure
        yield failure.hit(says, failure.loaded_as(plan), prefix=part)
    elif owner == "model" and part in ("module.", "_orig_mod."):
        says = (
            f"the model is wrapped, the file is not: load into `model.{part}load_state_dict(...)`"
        )
        yield failure.hit(says, prefix=part)
    elif owner == "model":
        key = next(key for key in errors.missing if part in key)
        says = f"`{part}` is in the model's names, as in `{key}`, and not in the file's"
        yield failure.hit(f"{says}: load into the part of the model that the file is of")


@pitfall.inspects("dicts", sure=False)
def wrapped_names_in_the_file(checkpoint: Checkpoint) -> Hits:
    """Whoever loads them into the same wrapper wants them so."""
    for path, node in checkpoint.dicts:
        names = [name for name, value in node.names.items() if isinstance(value, Tensor)]
        parts = [part for part in WRAPPERS if any(part in name.split(".")[:-1] for name in names)]
        wrapped = [name for name in names if set(parts) & set(name.split(".")[:-1])]
        if parts:
            inside = f" of `{dotted(path)}`" if path else ""
            says = f"`{parts[0]}.` is in {len(wrapped)} of {len(names)} names{inside}, as of a wrapped model"
            mends = "a bare one refuses them; `keng ckpt fix FILE OUT --model pkg.module:factory`"
            yield checkpoint.hit(f"{says}: {mends}", sure=False, wrapped=len(wrapped))


@pitfall.explains(
    r'unexpected key "(?P<part>module\.|_orig_mod\.)[\w.]{1,300}" in state_dict', odds=0.9
)
def first_key_alone(failure: Failure) -> Hits:
    part = failure.groups["part"]
    yield failure.hit(
        f"the names in the file begin with `{part}`, those of the model do not: `{{key.replace('{part}', '', 1): value for key, value in state.items()}}`"
    )
