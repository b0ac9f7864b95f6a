r"""A setting of generate is one that this way of generating does not use.

`temperature`, `top_p` and `top_k` tell how tokens are drawn, and nothing is drawn without `do_sample=True`: the likeliest token is taken, whatever they are.
`early_stopping` and `length_penalty` are for several beams. Settings belong into `model.generation_config`, not into `model.config`. Ones that contradict each other are a warning as
long as text is generated, and an error where the model is saved. Where no length is said, 20 tokens come.

Cure: `do_sample=True` where texts are to vary; otherwise set what does not go with it to `None`; `max_new_tokens=n` alone for the length.

Bad:

```python
import tempfile

from transformers import GenerationConfig

config = GenerationConfig(do_sample=False, temperature=0.7)
config.save_pretrained(tempfile.mkdtemp())
```

Bad (settings in the model's configuration):

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model.config.temperature = 0.7
tokens = model.generate(torch.tensor([[464]]), max_new_tokens=2)
```

Good:

```python
import tempfile

from transformers import GenerationConfig

config = GenerationConfig(do_sample=True, temperature=0.7)
config.save_pretrained(tempfile.mkdtemp())
```

Message (transformers 4; `temperature=0.6`):

```text
UserWarning: `do_sample` is set to `False`. However, `temperature` is set to `0.6` -- this flag is only used in sample-based generation modes. You should set `do_sample=True` or unset `temperature`.
```

Message (transformers 4; `early_stopping=True`):

```text
UserWarning: `num_beams` is set to 1. However, `early_stopping` is set to `True` -- this flag is only used in beam-based generation modes. You should set `num_beams>1` or unset `early_stopping`.
```

Message (transformers 4 and 5; `['temperature', 'top_p']`):

```text
The following generation flags are not valid and may be ignored: ['temperature', 'top_p']. Set `TRANSFORMERS_VERBOSITY=info` for more details.
```

Message (transformers 4; `save_pretrained`):

```text
ValueError: The generation config instance is invalid -- `.validate()` throws warnings and/or exceptions. Fix these issues to save the configuration.
```

Message (transformers 4 and 5; `max_new_tokens=256`):

```text
Both `max_new_tokens` (=256) and `max_length`(=512) seem to have been set. `max_new_tokens` will take precedence. Please refer to the documentation for more information. (https://huggingface.co/docs/transformers/main/en/main_classes/text_generation)
```

Message (transformers 4 and 5; `20`):

```text
UserWarning: Using the model-agnostic default `max_length` (=20) to control the generation length. We recommend setting `max_new_tokens` to control the maximum length of the generation.
```

Message (transformers 4 and 5; `min_length`):

```text
UserWarning: Unfeasible length constraints: `min_length` (50) is larger than the maximum possible length (20). Generation will stop at the defined maximum length. You should decrease the minimum length and/or increase the maximum length.
```

Message (transformers 4 and 5; `return_dict_in_generate=True`):

```text
UserWarning: `return_dict_in_generate` is NOT set to `True`, but `output_scores` is. When `return_dict_in_generate` is not `True`, `output_scores` is ignored.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import transformers")

pitfall.answers(
    {
        "GenerationConfig is invalid": "what model.generation_config says contradicts itself, and is not written: temperature or top_p without do_sample=True as a rule, put right before save_pretrained",
        "generation config instance is invalid": "what model.generation_config says contradicts itself, and is not written: temperature or top_p without do_sample=True as a rule, put right before save_pretrained",
        "modified the pretrained model configuration to control generation": "settings of generate stand in model.config: in model.generation_config, or given to generate",
        "Using the model-agnostic default `max_length`": "no length is said, and text ends after some 20 tokens: max_new_tokens=n",
        "`return_dict_in_generate` is NOT set to `True`, but": "scores and the like come back with return_dict_in_generate=True alone",
    },
    odds=0.94,
)


@pitfall.explains(
    r"`(?P<switch>do_sample|num_beams)` is (?:not )?set to `?\w{1,8}`?\. However, `(?P<name>\w{2,40})` is set to `?(?P<value>[\w.-]{1,20})",
    odds=0.96,
)
def not_looked_at(failure: Failure) -> Hits:
    switch, name, value = (failure.groups[key] for key in ("switch", "name", "value"))
    drawn = switch == "do_sample"
    way = "takes the likeliest token" if drawn else "follows one beam"
    need = "do_sample=True" if drawn else "num_beams above 1"
    yield failure.hit(
        f"generate {way}, and {name}={value} has no part in that: {need}, or {name}=None"
    )


@pitfall.explains(
    r"generation flags are not valid and may be ignored: (?P<names>\[[^\]]{2,200}\])", odds=0.95
)
def flags_not_used(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['names']} does nothing as generate is set: temperature, top_p and top_k act with do_sample=True, early_stopping and length_penalty with several beams"
    )


@pitfall.explains(
    r"Both `(?P<name>m\w\w_new_tokens)` \(=(?P<new>\d+)\) and `(?P<other>m\w\w_length)` ?\(=(?P<length>\d+)\) seem to have been set",
    odds=0.96,
)
def two_lengths(failure: Failure) -> Hits:
    name, new, other, length = (failure.groups[key] for key in ("name", "new", "other", "length"))
    yield failure.hit(
        f"{name}={new} holds and {other}={length} does not, which may stand in generation_config.json: {other}=None ends the warning"
    )


@pitfall.explains(
    r"Unfeasible length constraints: `(?P<name>\w{5,20})` \((?P<least>\d+)\).{0,80}? larger than the maximum possible length \((?P<most>\d+)\)",
    odds=0.96,
)
def least_above_most(failure: Failure) -> Hits:
    name, least, most = (failure.groups[key] for key in ("name", "least", "most"))
    yield failure.hit(
        f"at least {least} tokens by {name}, and all end at {most}: a larger max_new_tokens, or a smaller {name}"
    )
