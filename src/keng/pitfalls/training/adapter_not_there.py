r"""An adapter is put on, chosen or merged where it cannot be.

Adapters of PEFT have names, `default` if none is given, and a model holds several of them by name. One name is taken once; what is chosen must have been loaded. A second
`get_peft_model` on the same model nests adapters. Merging adds the adapter to the weights, which those packed by GPTQ do not allow, and those of 4 or 8 bits round.

Cure: `model.peft_config.keys()` shows the names; another `adapter_name=` for the next one, `delete_adapter` for the last; a fresh base model for a new experiment.

Bad:

```python
from peft import LoraConfig, get_peft_model
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
model = get_peft_model(model, LoraConfig(target_modules=["0"]))
model.set_adapter("mine")
```

Good:

```python
from peft import LoraConfig, get_peft_model
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
model = get_peft_model(model, LoraConfig(target_modules=["0"]), adapter_name="mine")
model.set_adapter("mine")
```

Message (PEFT; `unload()`):

```text
UserWarning: Already found a `peft_config` attribute in the model. This will lead to having multiple adapters in the model. Make sure to know what you are doing!
```

Message (PEFT; `no layer`):

```text
ValueError: All modules were excluded. This is likely unintended. Check your `target_modules`, `exclude_modules` and `modules_to_save` configuration.
```

Message (transformers 4 and 5; `load_adapter`):

```text
ValueError: No adapter loaded. Please load an adapter first.
```

Message (PEFT; `16 bits`):

```text
ValueError: Cannot merge LORA layers when the model is gptq quantized
```

Message (PEFT and transformers; `default`):

```text
ValueError: Adapter with name default already exists. Please use a different name.
```

Message (diffusers; `style`):

```text
ValueError: Adapter name style already in use in the Unet - please select a new adapter name.
```

Message (PEFT; `mine`):

```text
ValueError: Adapter mine not found in odict_keys(['default'])
```

Message (transformers 4 and 5; `mine`):

```text
ValueError: Adapter with name mine not found. Please pass the correct adapter name among ['default']
```

Message (PEFT; `0`):

```text
ValueError: `r` should be a positive integer value but the value passed is 0
```

Message (PEFT 0.21; `mine`):

```text
ValueError: Adapter mine not found.
```

Message (PEFT; `mine`):

```text
ValueError: Adapter(s) ['mine'] not found, available adapters: ['default']
```

Message (PEFT 0.21; `default`):

```text
ValueError: Adapter with name 'default' already exists.
```

Message (diffusers; `style`):

```text
ValueError: Adapter name(s) {'style'} not in the list of present adapters: {'default_0'}.
```

Message (transformers 4 and 5; `checkpoint-N`):

```text
ValueError: adapter model file not found in out. Make sure you are passing the correct path to the adapter model.
```

Message (TRL 0 and 1; `peft_config`):

```text
ValueError: You passed a `PeftModel` instance together with a `peft_config` to the trainer. Please first merge and unload the existing adapter, save the resulting base model, and then pass that base model along with the new `peft_config` to the trainer.
```

Message (PEFT; `folder`):

```text
ValueError: Provided path (out/adapter.safetensors) should be a directory, not a file
```

Message (PEFT; `plain model`):

```text
AttributeError: 'GPT2LMHeadModel' object has no attribute 'print_trainable_parameters'
```

Message (PEFT; `is_trainable=True`):

```text
trainable params: 0 || all params: 6,738,415,616 || trainable%: 0.0000
```

Message (vLLM; `/data/poems`):

```text
ValueError: Loading lora poems failed: No adapter found for /data/poems
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import peft")

CURES = {
    "adapter model file not found in ": "no adapter lies there: the folder that save_pretrained of the adapter wrote, as checkpoint-N, and not the base model's",
    "Already found a `peft_config` attribute in the model": "the model carries an adapter already, and a second one is put on top: load the base model anew, or unload() first",
    "modify a model with PEFT for a second time": "the model carries an adapter already, and a second one is put on top: load the base model anew, or unload() first",
    "`PeftModel` instance together with a `peft_config`": "the model carries an adapter already, and the trainer is to put on another: without peft_config, or the base model with it",
    "All modules were excluded": "target_modules, exclude_modules and layers_to_transform leave no layer together: print named_modules() and compare",
    "No adapter loaded. Please load an adapter first": "the model has no adapter yet: load_adapter(...) or add_adapter(...) before it is chosen",
    "Cannot merge LORA layers when the model is": "packed weights take no sum: load the base model in 16 bits, put the adapter on it and merge there",
    ") should be a directory, not a file": "save_pretrained writes several files into a folder: the folder's name, without the file's",
    "trainable params: 0 || all params": "no parameter is trained: what PeftModel.from_pretrained loads is frozen without is_trainable=True, and so is a config with inference_mode=True",
}

pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"Adapter (?:with )?name '?(?P<name>[\w.-]{1,80})'? already (?:exists|in use)", odds=0.97
)
def name_taken(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"an adapter `{name}` is on the model already: another adapter_name, or delete_adapter('{name}') first"
    )


@pitfall.explains(
    r"(?:^|: )Adapter (?:with name )?'?(?P<name>[\w.-]{1,80})'? not found(?:\.|$)(?: .{0,60}?among (?P<among>\[.{0,200}?\]))?",
    r"Adapter (?P<name>[\w.-]{1,80}) not found in (?P<there>[\w.,' \[\](){}-]{1,200})",
    r"Adapter name\(s\) (?P<name>\{.{1,200}?\}) not in the list of present adapters: (?P<there>\{.{0,200}?\}|set\(\))",
    r"Adapter\(s\) (?P<name>\[.{1,200}?\]) not found, available adapters: (?P<there>\[.{0,200}?\])",
    odds=0.96,
)
def no_such_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    there = failure.groups.get("there") or failure.groups.get("among") or "others"
    yield failure.hit(
        f"no adapter `{name}` is on the model, which has {there}: load it under that name"
    )


@pitfall.explains(
    r"`r` (?P<came>-?\d+ )?should be a positive integer(?:.{0,40}?(?:is|got) (?P<last>-?[\d.]+))?",
    odds=0.95,
)
def no_rank(failure: Failure) -> Hits:
    came = (failure.groups["came"] or failure.groups["last"]).strip()
    yield failure.hit(f"an adapter of rank {came} holds nothing: r of 8 or 16 in LoraConfig")


@pitfall.explains(
    r"'(?P<kind>\w{2,80})' object has no attribute '(?P<name>print_trainable_parameters|merge_and_unload|merge_adapter|unmerge_adapter|get_base_model)'",
    odds=0.96,
)
def no_peft_model(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if not kind.startswith("Peft"):
        yield failure.hit(
            f"a {kind} is the plain model, and {name} is of one that PEFT has wrapped: what get_peft_model or PeftModel.from_pretrained returns"
        )


@pitfall.explains(
    r"Loading lora (?P<name>\S{1,80}) failed: No adapter found for (?P<path>[^\s'\"]{1,300})",
    odds=0.97,
)
def none_for_a_server(failure: Failure) -> Hits:
    yield failure.hit(
        f"vLLM finds no adapter_config.json in `{failure.groups['path']}`: lora_path is the folder that save_pretrained of PEFT wrote, where vLLM runs"
    )
