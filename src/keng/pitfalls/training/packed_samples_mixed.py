r"""Several samples lie in one row, and attention does not keep them apart.

Packing lays texts end to end to leave no room for padding; training without padding lays a whole batch into one row. Kernels of flash attention are told where each text begins. Other
implementations may read on into the text before, so that a sample is learned with a stranger as its beginning. Layers that carry a state along need a kernel of their own for it.

Cure: `model_init_kwargs={"attn_implementation": "flash_attention_2"}`, or `packing=False` and `padding_free=False`.

Bad:

```python
from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

data = load_dataset("trl-lib/Capybara", split="train")
trainer = SFTTrainer("Qwen/Qwen3-0.6B", SFTConfig("out", packing=True), train_dataset=data)
```

Good:

```python
from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

data = load_dataset("trl-lib/Capybara", split="train")
how = {"attn_implementation": "flash_attention_2"}
config = SFTConfig("out", packing=True, model_init_kwargs=how)
trainer = SFTTrainer("Qwen/Qwen3-0.6B", config, train_dataset=data)
```

Message (TRL 0; `packing=False`):

```text
UserWarning: You are using packing, but the attention implementation is not set to 'flash_attention_2'. Packing flattens batches into a single sequence, and 'flash_attention_2' is the only known attention mechanism that reliably supports this. Using other implementations may lead to cross-contamination between batches. To avoid this, either disable packing by setting `packing=False`, or set `attn_implementation='flash_attention_2'` in the model configuration.
```

Message (TRL 1; `padding_free=False`):

```text
Padding-free training is enabled, but the attention implementation is not set to a supported Flash Attention variant. Padding-free training flattens batches into a single sequence, and only the following implementations are known to reliably support this: flash_attention_2, flash_attention_3, kernels-community/flash-attn2, kernels-community/flash-attn3, kernels-community/vllm-flash-attn3. Using other implementations may lead to unexpected behavior.
```

Message (transformers 5; `causal-conv1d`):

```text
ValueError: `causal_conv1d_fn` can't keep packed sequences apart without `causal-conv1d`. Install `causal-conv1d` to train on packed sequences.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="TRL")

pitfall.answers(
    {
        "You are using packing, but the attention implementation is not set to": "several texts in a row, and attention may read from one into the next: flash_attention_2 in model_init_kwargs, or packing=False",
        "Padding-free training is enabled, but the attention implementation is not": "a batch becomes one row (as packing does by itself), and attention may read from one text into the next: flash_attention_2 in model_init_kwargs, or padding_free=False",
    },
    odds=0.96,
)


@pitfall.explains(
    r"`(?P<part>\w{3,60})` can't keep packed sequences apart without `(?P<package>[\w.-]{2,40})`",
    odds=0.97,
)
def state_carried_on(failure: Failure) -> Hits:
    part, package = failure.groups["part"], failure.groups["package"]
    yield failure.hit(
        f"the plain form of {part} would carry its state from one packed text into the next: {package} installed, or no packing"
    )
