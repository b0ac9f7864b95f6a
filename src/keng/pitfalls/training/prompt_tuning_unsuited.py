r"""A prompt is to be trained for a model that has no place for it.

Prompt tuning puts vectors of its own before the words, prefix tuning puts keys and values into the cache of each layer. PEFT has to know the width, the layers and the heads of the model, which it reads from
its configuration, and for the prefix the model has to take `past_key_values`. Gradient checkpointing runs layers anew without that cache. The vectors have neither positions nor token types, so PEFT
drops what is given of these.

Cure: LoRA, which needs none of it; `num_layers`, `token_dim` and `num_attention_heads` in the configuration of the prompt where a model's own names differ; no gradient checkpointing with a prefix.

Bad:

```python
from peft import PrefixTuningConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model.gradient_checkpointing_enable()
model = get_peft_model(model, PrefixTuningConfig(num_virtual_tokens=4, task_type="CAUSAL_LM"))
```

Good:

```python
from peft import PrefixTuningConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model = get_peft_model(model, PrefixTuningConfig(num_virtual_tokens=4, task_type="CAUSAL_LM"))
```

Message (PEFT 0.13 and before; `cache`):

```text
ValueError: Prefix tuning does not work with gradient checkpointing.
```

Message (PEFT; `num_layers`):

```text
ValueError: Please specify `num_layers` in `peft_config`
```

Message (PEFT; `past_key_values`):

```text
ValueError: Model does not support past key values which are required for prefix tuning.
```

Message (PEFT; `tokenizer_name_or_path`):

```text
ValueError: When prompt_tuning_init='TEXT', tokenizer_name_or_path can't be None.
```

Message (PEFT; `by name`):

```text
ValueError: input_ids must be provided for Peft model generation
```

Message (PEFT; `token types`):

```text
UserWarning: Token type ids are not supported for parameter efficient tuning. Ignoring token type ids
```

Message (PEFT; `positions`):

```text
UserWarning: Position ids are not supported for parameter efficient tuning. Ignoring position ids.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import peft, transformers")

CHECKPOINTED = "a prefix lies in the cache of each layer, which gradient checkpointing goes without: no gradient checkpointing, or LoRA"

pitfall.answers(
    {
        "PREFIX_TUNING does not work with gradient checkpointing": CHECKPOINTED,
        "Prefix tuning does not work with gradient checkpointing": CHECKPOINTED,
        "not support past key values which are required for prefix": "the model's forward takes no past_key_values, where a prefix lies: PromptTuningConfig or LoRA",
        "input_ids must be provided for Peft model generation": "generate of a model with a trained prompt takes its text by name: generate(input_ids=...), no inputs_embeds",
        "Token type ids are not supported for parameter efficient": "the trained prompt has no token types, and those of the tokenizer are dropped: right for one text, and for pairs a loss",
        "Position ids are not supported for parameter efficient": "the prompt moves all positions, and those that are given are dropped: right unless they were not 0, 1, 2 ...",
    },
    odds=0.96,
)


@pitfall.explains(
    r"Please specify `(?P<name>num_layers|token_dim|num_attention_heads)` in `peft_config`",
    odds=0.97,
)
def named_otherwise(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the model's configuration says `{name}` under a name that PEFT does not know: {name}= in the configuration of the prompt"
    )


@pitfall.explains(
    r"When prompt_tuning_init='TEXT', (?P<name>tokenizer_name_or_path|prompt_tuning_init_text) can't be",
    odds=0.97,
)
def begins_with_a_text(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the prompt is to begin as a text, and `{name}` is missing: both prompt_tuning_init_text and tokenizer_name_or_path, or 'RANDOM'"
    )
