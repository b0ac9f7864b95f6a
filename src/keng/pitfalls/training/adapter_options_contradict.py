r"""An adapter is configured by options that exclude each other, or that its layers do not take.

A `LoraConfig` names its layers by a list, or by one text, a pattern for whole names that already says in which layers. The rank of an adapter on a grouped convolution is
divided over the groups. What kind of adapter it is, `peft_type`, only the configurations of the kinds say, such as `LoraConfig`. Of several adapters on one model one alone may train biases, and those that are mixed to one need the same rank.

Cure: `target_modules` as a list beside `layers_to_transform`; a rank that the groups divide; `bias="none"`, the default; `init_lora_weights` of those
that the page of `LoraConfig` names.

Bad:

```python
from peft import LoraConfig

config = LoraConfig(target_modules="all-linear", layers_to_transform=[0])
```

Good:

```python
from peft import LoraConfig

config = LoraConfig(target_modules=["q_proj"], layers_to_transform=[0])
```

Message (PEFT; `list`):

```text
ValueError: `layers_to_transform` cannot be used when `target_modules` is a str.
```

Message (PEFT; `gaussian`):

```text
ValueError: Unknown initialization init_lora_weights='gausian'
```

Message (PEFT; `None`):

```text
NotImplementedError: Requested bias: None, is not implemented.
```

Message (PEFT; `32 groups`):

```text
ValueError: Targeting a Conv2d with groups=32 and rank 8. Currently, support is limited to conv layers where the rank is divisible by groups. Either choose a different rank or do not target this specific layer.
```

Message (PEFT; `biases`):

```text
ValueError: LoraModel supports only 1 adapter with bias. When using multiple adapters, set bias to 'none' for all adapters.
```

Message (PEFT; `svd`):

```text
ValueError: All adapters must have the same r value when using combination_type linear, ties, dare_ties or dare_linear.
```

Message (PEFT; `once`):

```text
ValueError: Multiple invocations of PEFT forward hooks before .backward() with enabled gradient checkpointing. Disable gradient checkpointing or only call forward once per backward.
```

Message (PEFT; `adapter_config.json`):

```text
  File "/env/lib/python3.11/site-packages/peft/config.py", line 330, in _get_peft_type
    return loaded_attributes["peft_type"]
KeyError: 'peft_type'
```

Message (PEFT; `LoraConfig`):

```text
  File "/env/lib/python3.11/site-packages/peft/peft_model.py", line 490, in from_pretrained
    config = PEFT_TYPE_TO_CONFIG_MAPPING[PeftConfig._get_peft_type(model_id, **hf_kwargs)].from_pretrained(
KeyError: None
```

Message (PEFT 0.17 and later; `lora_dropout`):

```text
ValueError: lora.ParamWrapper does not work with lora_dropout != 0.
```

Message (PEFT 0.15 and later; `CLASSIFICATION`):

```text
ValueError: Invalid task type: 'CLASSIFICATION'. Must be one of the following task types: SEQ_CLS, SEQ_2_SEQ_LM, CAUSAL_LM, TOKEN_CLS, QUESTION_ANS, FEATURE_EXTRACTION.
```

Message (PEFT; `AutoPeftModelForSeq2SeqLM`):

```text
ValueError: Expected target PEFT class: PeftModelForSeq2SeqLM, but you have asked for: PeftModelForCausalLM make sure that you are loading the correct model for your task type.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import peft")

WORDS = "target_modules as one text is a pattern for whole names and says the layers itself: a list of names beside it"
CURES = {
    "`layers_to_transform` cannot be used when `target_modules`": WORDS,
    "`layers_pattern` cannot be used when `target_modules`": WORDS,
    "supports only 1 adapter with bias": "several adapters cannot all train the biases of one model: bias='none'",
    "must have the same r value when using combination_type": "adapters of different ranks are to be added up: combination_type of 'cat' or 'svd'",
    "Multiple invocations of PEFT forward hooks before": "forward ran twice before backward, and gradient checkpointing allows it once: without checkpointing, or one forward for both",
}

pitfall.answers(CURES, odds=0.96)


@pitfall.explains(r"Unknown initialization init_lora_weights=(?P<came>[^\n]{1,40})", odds=0.97)
def no_such_start(failure: Failure) -> Hits:
    yield failure.hit(
        f"no way to begin is called {failure.groups['came']}: init_lora_weights of True, 'gaussian', 'pissa' or 'olora'"
    )


@pitfall.explains(r"KeyError: (?:None|'peft_type')", odds=0.95)
def of_no_kind(failure: Failure) -> Hits:
    if "/peft/" in failure.raised_in or re.search("peft", failure.message, re.IGNORECASE):
        yield failure.hit(
            "`peft_type` is not said in adapter_config.json: it was saved of a plain PeftConfig, or by another program; LoraConfig says it"
        )


@pitfall.explains(r"Requested bias: (?P<came>\w{1,40}), is not implemented", odds=0.97)
def no_such_bias(failure: Failure) -> Hits:
    yield failure.hit(
        f"bias={failure.groups['came']} is none of its words: 'none', 'all' or 'lora_only'"
    )


@pitfall.explains(
    r"Targeting a (?P<kind>\w{1,60}) with groups=(?P<groups>\d+) and rank (?P<rank>\d+)\.",
    odds=0.97,
)
def rank_not_shared(failure: Failure) -> Hits:
    kind, groups, rank = (failure.groups[key] for key in ("kind", "groups", "rank"))
    yield failure.hit(
        f"rank {rank} is not divided by the {groups} groups of a {kind}: a multiple of {groups}, or leave it out of target_modules"
    )


@pitfall.explains(
    r"lora\.ParamWrapper does not work (?:with|when) `?(?P<what>[a-z_]{4,40})", odds=0.97
)
def experts_take_less(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"a parameter is adapted, as of experts in one tensor or by target_parameters, which goes without {what}: leave it out, lora_dropout=0.0"
    )


@pitfall.explains(
    r"Invalid task type: '?(?P<came>[\w. ]{1,60}?)'?\. Must be one of the following task types: (?P<known>[\w, ]{3,200})",
    odds=0.97,
)
def no_such_task(failure: Failure) -> Hits:
    came, known = failure.groups["came"], failure.groups["known"]
    yield failure.hit(f"task_type={came} is none that PEFT knows: {known}, or left out")


@pitfall.explains(
    r"Expected target PEFT class: (?P<wants>PeftModel\w{0,60}), but you have asked for: (?P<asked>PeftModel\w{0,60})",
    odds=0.97,
)
def of_another_task(failure: Failure) -> Hits:
    wants, asked = failure.groups["wants"], failure.groups["asked"]
    yield failure.hit(
        f"the adapter was trained as {wants}, and Auto{asked} is asked to load it: Auto{wants}.from_pretrained"
    )
