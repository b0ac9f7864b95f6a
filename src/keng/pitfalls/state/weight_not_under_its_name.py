r"""A loader does not find a weight, or a whole network, under its name.

`load_state_dict` compares all names and tells of each that differs. A loop of one's own, and the loaders of some libraries, take weight by weight and stop
at the first name that is not there: the file was written by another version of the code, packed in fewer bits than the loader was told, or holds one
network where several are looked for.

Cure: print `state.keys()` and `model.state_dict().keys()`, and compare; load by `load_state_dict`; take the version of the library that wrote the file,
and in vLLM the `quantization` of the file.

Bad:

```python
from torch import nn

saved = nn.Sequential(nn.Linear(4, 2)).state_dict()
model = nn.Linear(4, 2)
for name, value in saved.items():
    model.state_dict()[name].copy_(value)  # seen: `0.weight`
```

Good:

```python
from torch import nn

saved = nn.Sequential(nn.Linear(4, 2)).state_dict()
model = nn.Linear(4, 2)
for name, value in saved.items():
    model.state_dict()[name.removeprefix("0.")].copy_(value)
```

Message (torch_geometric 2, a file of torch_geometric 1; `gconv1.lin.weight`):

```text
KeyError: 'gconv1.lin.weight'
```

Message (vLLM, a file of 4 bits; `fewer bits`):

```text
KeyError: 'layers.0.mlp.down_proj.weight.absmax'
```

Message (DINO, a file of the backbone alone; `student`):

```text
=> failed to load student from checkpoint './checkpoint.pth'
```

Message (diffusers; `LoRA`):

```text
ValueError: Invalid LoRA checkpoint.
```

Message (diffusers; `LoRA`):

```text
ValueError: `state_dict` should be empty at this point but has state_dict.keys()=dict_keys(['lora_unet_blocks_0.weight'])
```

Message (diffusers; `LoRA`):

```text
ValueError: Expected an empty state dict at this point but its has these keys which couldn't be parsed: lora_te1_text_model.alpha.
```

Message (a program that looks weights up; `removeprefix`):

```text
Traceback (most recent call last):
  File "/work/demo.py", line 41, in main
    own[name] = saved[name]
KeyError: 'module.conv1.weight'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.state_names import WRAPPERS

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"(?:^|Error: )'(?P<key>(?:\w{1,60}\.){1,14}\w{0,30}(?:weight|bias|running_mean|running_var|absmax|qzeros)(?:_\w{1,20})?)'",
    odds=0.85,
)
def no_such_weight(failure: Failure) -> Hits:
    own = failure.frames and failure.frames[-1].text.startswith("raise ")
    wrapper = next((part for part in WRAPPERS if part in failure.groups["key"].split(".")), "")
    if failure.kind == "KeyError" and not own and wrapper in ("module", "_orig_mod"):
        yield failure.hit(
            f"one side has `{wrapper}.` before its names and the other has not, as of a model in DataParallel or torch.compile: "
            "key.removeprefix(...), or the model inside"
        )
    elif failure.kind == "KeyError" and not own:
        yield failure.hit(
            f"`{failure.groups['key']}` is in the file or in the model, not in both: of another model, version or configuration, "
            "or packed in fewer bits than the loader was told"
        )


@pitfall.explains(
    r"=> (?:failed to load|key) '?(?P<key>[a-z]\w{1,40})'? (?:from|not found in) checkpoint",
    odds=0.9,
)
def part_not_in_the_file(failure: Failure) -> Hits:
    yield failure.hit(
        f"the file has no `{failure.groups['key']}` that fits: it may hold one network alone, not the whole run; print its keys()"
    )


@pitfall.explains(
    r"state_dict` should be (?:at this point|empty at this point) but has|Invalid LoRA checkpoint\.",
    r"Expected an empty state dict at this point but its has",
    odds=0.93,
)
def adapter_of_another_kind(failure: Failure) -> Hits:
    yield failure.hit(
        "the LoRA file has names that this pipeline cannot place: made for another model or by another trainer; a newer diffusers may know them"
    )
