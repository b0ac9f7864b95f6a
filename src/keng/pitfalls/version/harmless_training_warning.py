r"""A library over Transformers tells what it puts right by itself in a training.

Transformers, TRL and bitsandbytes tell in a log what they put right by themselves: an option that is of no use while training, a name that has a newer one, a token that the
tokenizer knows and the configuration does not. The run is as right as without the line.

Cure: nothing; `transformers.logging.set_verbosity_error()` silences Transformers, the other warnings too.

Bad (a name that has a newer one):

```python
import warnings

from transformers import TrainingArguments

warnings.simplefilter("error")
args = TrainingArguments("out", gradient_checkpointing=True)
```

Good:

```python
from transformers import TrainingArguments

args = TrainingArguments("out", activation_checkpointing=True)
```

Message (transformers 4 and 5; `one after another`):

```text
`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`.
```

Message (transformers 4.49 to 4.53, with PEFT; `label_names`):

```text
No label_names provided for model class `PeftModelForCausalLM`. Since `PeftModel` hides base models input arguments, if label_names is not given, label_names can't be set automatically within `Trainer`. Note that empty label_names list will be used instead.
```

Message (transformers 4.56 and later; `tokenizer`):

```text
The tokenizer has new PAD/BOS/EOS tokens that differ from the model config and generation config. The model config and generation config were aligned accordingly, being updated with the tokenizer's values. Updated tokens: {'bos_token_id': None, 'pad_token_id': 151643}.
```

Message (transformers 4.48 to 4.57; `next token`):

```text
`loss_type=None` was set in the config but it is unrecognised. Using the default loss: `ForCausalLMLoss`.
```

Message (transformers 4.46 to 4.57; `processing_class`):

```text
FutureWarning: `tokenizer` is deprecated and will be removed in version 5.0.0 for `Trainer.__init__`. Use `processing_class` instead.
```

Message (transformers 4.46 to 4.57; `processing_class`):

```text
Trainer.tokenizer is now deprecated. You should use Trainer.processing_class instead.
```

Message (transformers 4.41 to 4.45; `eval_strategy`):

```text
FutureWarning: `evaluation_strategy` is deprecated and will be removed in version 4.46 of 🤗 Transformers. Use `eval_strategy` instead
```

Message (transformers 4; `count`):

```text
Could not estimate the number of tokens of the input, floating-point operations will not be computed
```

Message (bitsandbytes 0; `float16`):

```text
MatMul8bitLt: inputs will be cast from torch.float32 to float16 during quantization
```

Message (transformers 4 and 5, flash attention beside 4 bits; `torch.bfloat16`):

```text
The input hidden states seems to be silently casted in float32, this might be related to the fact you have upcasted embedding or layer norm layers in float32. We will cast back the input in torch.bfloat16.
```

Message (transformers 4 and 5, a Qwen; `sdpa`):

```text
Sliding Window Attention is enabled but not implemented for `sdpa`; unexpected results may be encountered.
```

Message (transformers 4 and 5, under DeepSpeed; `loss scale`):

```text
tried to get lr value before scheduler/optimizer started stepping, returning lr=0
```

Message (transformers 4 and 5; `device_map`):

```text
The model is already on multiple devices. Skipping the move to device specified in `args`.
```

Message (transformers 4.43 to 4.57; `rope_type`):

```text
Unrecognized keys in `rope_scaling` for 'rope_type'='linear': {'type'}
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="import transformers")

pitfall.answers(
    {
        "`use_cache=True` is incompatible with gradient checkpointing": "the cache is for tokens that are generated one after another, and is left out in training: right; model.config.use_cache = False ends the line",
        "No label_names provided for model class": "training is the same; an evaluation that is to give a loss or metrics wants TrainingArguments(label_names=['labels'])",
        "tokenizer has new PAD/BOS/EOS tokens that differ from the model config": "the ids of the tokenizer are written into the model's configuration: right where this is the model's tokenizer",
        "Using the default loss: `ForCausalLMLoss`": "the model names no loss of its own, and that of the next token is taken: right for a language model",
        "Trainer.tokenizer is now deprecated": "`tokenizer` still works there: processing_class is its newer name",
        "`tokenizer` is deprecated and will be removed in version 5.0.0": "`tokenizer` still works there: processing_class is its newer name",
        "`evaluation_strategy` is deprecated and will be removed": "`evaluation_strategy` still works in this version: eval_strategy is its newer name",
        "`gradient_checkpointing` is deprecated and will be removed in v6": "`gradient_checkpointing` still works: activation_checkpointing is its newer name",
        "Could not estimate the number of tokens of the input": "the count of operations in the log is left out, since no input has the name that it looks for: the training is the same",
        "Unrecognized keys in `rope_": "config.json holds more on its positions than this rope_type reads: right where its makers wrote it so",
        "MatMul8bitLt: inputs will be cast from": "products with weights of 8 bits are made in float16, as they always are: autocast or a model in float16 ends the line",
        "started stepping, returning lr=0": "DeepSpeed skips its first steps until the loss scale fits, and the log shows a rate of 0 so long",
        "already on multiple devices. Skipping the move to device": "the model lies where device_map laid it, and the Trainer leaves it there",
    },
    odds=0.94,
)


@pitfall.explains(
    r"input hidden states seems to be silently casted in float32.{0,160}?(?:cast back the input in (?P<to>torch\.\w{5,9})|$)",
    odds=0.95,
)
def cast_for_the_kernel(failure: Failure) -> Hits:
    to = failure.groups["to"] or "half precision"
    yield failure.hit(
        f"norms that were made float32 for the training give float32, and flash attention gets it as {to}: right"
    )


@pitfall.explains(
    r"Sliding Window Attention is enabled but not implemented for `(?P<kernel>\w{3,40})`",
    odds=0.95,
)
def window_left_out(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['kernel']}` looks at all earlier tokens and not at a window of them: the same for texts shorter than sliding_window in config.json"
    )
