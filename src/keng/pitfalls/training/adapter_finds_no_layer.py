r"""An adapter is to be put beside layers that the model does not have.

LoRA is put beside the layers whose names end as `target_modules` says. Names differ from one architecture to the next: `q_proj` and
`v_proj` in LLaMA, `c_attn` in GPT-2, `query_key_value` in GPT-NeoX, `W_pack` in Baichuan. A list that was collected from the
linear layers of a model is empty where these are of another class, as `Conv1D` in GPT-2 or the packed ones of 4 bits, or where an adapter was put there before.

Cure: print `[name for name, layer in model.named_modules() if isinstance(layer, nn.Linear)]` and take the last parts of these names, or
`target_modules="all-linear"`.

Bad:

```python
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model = get_peft_model(model, LoraConfig(target_modules=["q_proj", "v_proj"]))
```

Good:

```python
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model = get_peft_model(model, LoraConfig(target_modules=["c_attn"], fan_in_fan_out=True))
```

Message (PEFT; `q_proj`):

```text
ValueError: Target modules ['q_proj', 'v_proj'] not found in the base model. Please check the target modules and try again.
```

Message (PEFT, of an adapter that is loaded; `adapter_config.json`):

```text
  File "/code/infer.py", line 12, in main
    model = PeftModel.from_pretrained(base, folder)
  File "/env/lib/python3.10/site-packages/peft/peft_model.py", line 541, in from_pretrained
    model = MODEL_TYPE_TO_PEFT_MODEL_MAPPING[config.task_type](
  File "/env/lib/python3.10/site-packages/peft/tuners/tuners_utils.py", line 563, in inject_adapter
    raise ValueError(error_msg)
ValueError: Target modules {'v_proj', 'q_proj'} not found in the base model. Please check the target modules and try again.
```

Message (PEFT; `is empty`):

```text
ValueError: Target modules set() not found in the base model. Please check the target modules and try again.
```

Message (PEFT; `target_modules`):

```text
ValueError: Please specify `target_modules` in `peft_config`
```

Message (PEFT; `ParameterList`):

```text
ValueError: Target module ParameterList() is not supported. Currently, only the following modules are supported: `torch.nn.Linear`, `torch.nn.Embedding`, `torch.nn.Conv2d`, `transformers.pytorch_utils.Conv1D`.
```

Message (PEFT 0.17 and later; `target_modules`):

```text
ValueError: No `target_modules` passed but also no `target_parameters` found. Please check the values for these arguments.
```

Message (PEFT 0.17 and later; `q_proj`):

```text
RuntimeWarning: target_modules={'q_proj'} were set but no module was matched.
```

Message (PEFT; `lm_head`):

```text
UserWarning: You have passed exclude_modules={'lm_head'} but no modules were excluded. Please check that exclude_modules was set correctly.
```

Message (PEFT; `out_proj`):

```text
ValueError: [PEFT:LORA] Module 'out_proj' is incompatible with Mamba-based models (model_type='falcon_h1'). Incompatible modules: ('out_proj', 'conv1d'). Please remove it from `target_modules` to avoid compatibility issues.
```

Message (PEFT; `modules_to_save`):

```text
ValueError: No modules were targeted for adaptation. This might be caused by a combination of mismatched target modules and excluded modules.
```

Message (PEFT before 0.8; `from 0.8 on`):

```text
ValueError: Target modules all-linear not found in the base model. Please check the target modules and try again.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import peft, transformers")


@pitfall.explains(
    r"Target modules (?P<names>set\(\)|\[.{0,400}?\]|\{.{0,400}?\}|[\w.|()*^$\\-]{1,200}) not found in the base model",
    odds=0.97,
)
def not_in_the_model(failure: Failure) -> Hits:
    names = failure.groups["names"]
    says = f"no layer of the model ends in one of {names}, which are of another architecture: target_modules='all-linear' "
    says += "from PEFT 0.8 on, none where PEFT knows the model, or names out of named_modules()"
    if any(f.function == "from_pretrained" and "/peft/" in f.posix for f in failure.frames):
        says = f"the adapter goes beside {names}, which this base model does not have: load the model that adapter_config.json names, with a transformers that calls its layers so"
    elif names in ("set()", "[]", "{}"):
        says = "the list of target_modules is empty: the layers are of another class, or carry an adapter already"
    elif names == "all-linear":
        says = "`all-linear` is no layer's name, but a word that PEFT knows from 0.8 on: pip install -U peft, or the names of the linear layers"
    yield failure.hit(says)


@pitfall.explains(r"Please specify `(?P<what>target_modules)` in `peft_config`", odds=0.97)
def none_known(failure: Failure) -> Hits:
    yield failure.hit(
        "PEFT knows no layers for this architecture: give target_modules, names out of model.named_modules()"
    )


@pitfall.explains(
    r"Target module (?P<kind>\w{2,80})\(.{0,500}?\) is not supported\. Currently, only", odds=0.97
)
def no_layer_for_it(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    cure = "name the linear layers inside it"
    if kind.startswith("Linear"):
        cure = "a packed layer that this PEFT does not know: pip install -U peft bitsandbytes"
    yield failure.hit(f"target_modules names a {kind}, which no adapter fits: {cure}")


@pitfall.explains(
    r"target_(?P<kind>module|parameter)s=(?P<names>[^\n]{1,300}?) were set but no (?:module|parameter) was matched",
    odds=0.96,
)
def half_of_it_adapted(failure: Failure) -> Hits:
    kind, names = failure.groups["kind"], failure.groups["names"]
    yield failure.hit(
        f"no {kind} of the model is named by {names}, and the adapter goes without: names out of model.named_{kind}s()"
    )


@pitfall.explains(
    r"passed exclude_modules=(?P<names>[^\n]{1,200}?) but no modules were excluded", odds=0.96
)
def nothing_excluded(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['names']} is none of the layers that target_modules takes: misspelt, or not needed"
    )


@pitfall.explains(r"Module '(?P<name>\w{2,60})' is incompatible with Mamba-based models", odds=0.97)
def read_past_the_layer(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"Mamba's kernels read the weight of `{name}` past the layer, so that an adapter there does nothing: in_proj and x_proj, without it"
    )


pitfall.answers(
    {
        "No `target_modules` passed but also no `target_parameters` found": "no layer is named and no parameter is found: target_modules, or the names of named_parameters() as target_parameters",
        "No modules were targeted for adaptation": "what target_modules names is excluded, or stands in modules_to_save: names that are in one of the three alone",
    },
    odds=0.96,
)
