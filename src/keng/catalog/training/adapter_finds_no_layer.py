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
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import peft, transformers")


@pitfall.explains(
    r"Target modules (?P<names>set\(\)|\[.{0,400}?\]|\{.{0,400}?\}|[\w.|()*^$\\-]{1,200}) not found in the base model",
    odds=0.97,
)
def not_in_the_model(failure: Failure) -> Hits:
    names = failure.groups["names"]
    says = f"no layer of the model ends in one of {names}: print named_modules() and take its own names"
    if names in ("set()", "[]", "{}"):
        says = "the list of target_modules is empty: the layers are of another class, or carry an adapter already"
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
