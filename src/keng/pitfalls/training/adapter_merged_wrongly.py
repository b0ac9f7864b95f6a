r"""An adapter is merged into weights that cannot hold the sum as it was.

Merging adds the product of the adapter to the weights of its layer. Weights of 4 or 8 bits are unpacked, added to and rounded again. What was merged stays in until it is taken out, so that a second adapter
comes on top of the first. A weight that two layers share, as the embedding and `lm_head`, changes for both though the adapter was trained beside one. What is NaN in the adapter is NaN in the sum.

Cure: load the base model in 16 bits, put the adapter on it and `merge_and_unload()` there; `unmerge_adapter()` before the next; `tie_word_embeddings=False` in the base model before training an adapter on
`lm_head`.

Bad:

```python
import warnings

from peft import LoraConfig, get_peft_model
from torch import nn

warnings.simplefilter("error")
model = get_peft_model(nn.Sequential(nn.Linear(4, 4)), LoraConfig(target_modules=["0"]))
model.add_adapter("style", LoraConfig(target_modules=["0"]))
model.merge_adapter(["default"])
model.merge_adapter(["style"])  # seen: `style`
```

Good:

```python
from peft import LoraConfig, get_peft_model
from torch import nn

model = get_peft_model(nn.Sequential(nn.Linear(4, 4)), LoraConfig(target_modules=["0"]))
model.add_adapter("style", LoraConfig(target_modules=["0"]))
model.merge_adapter(["default"])
model.unmerge_adapter()
model.merge_adapter(["style"])
```

Message (PEFT; `4 bits`):

```text
UserWarning: Merge lora module to 4-bit linear may get different generations due to rounding errors.
```

Message (PEFT; `default`):

```text
UserWarning: Already following adapters were merged default. You are now additionally merging style.
```

Message (PEFT; `earlier checkpoint`):

```text
ValueError: NaNs detected in the merged weights. The adapter default seems to be broken
```

Message (PEFT; `once`):

```text
UserWarning: All adapters are already merged, nothing to do.
```

Message (PEFT 0.14 and later; `lm_head`):

```text
UserWarning: Model with `tie_word_embeddings=True` and the tied_target_modules=['lm_head'] are part of the adapter. This can lead to complications. You can opt to merge the adapter after cloning the weights (to untie the embeddings).
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import peft")

pitfall.answers(
    {
        "All adapters are already merged, nothing to do": "merge is called for what is merged: once is enough, and unmerge_adapter() takes it out again",
    },
    odds=0.96,
)


@pitfall.explains(
    r"[Mm]erge \w{2,12} module to (?P<bits>[48])-bit linear may get different generations",
    odds=0.96,
)
def rounded_again(failure: Failure) -> Hits:
    yield failure.hit(
        f"the sum is rounded to {failure.groups['bits']} bits again and differs a little from the adapter beside its weights: load the base model in 16 bits to merge"
    )


@pitfall.explains(
    r"following adapters were merged (?P<there>[\w.,-]{1,80}?)\. You are now additionally merging (?P<next>[\w.,-]{1,80}?)\.?(?:\s|$)",
    odds=0.95,
)
def merged_on_top(failure: Failure) -> Hits:
    there, after = failure.groups["there"], failure.groups["next"]
    yield failure.hit(
        f"`{there}` is in the weights already and `{after}` is added to it: unmerge_adapter() before, unless both are meant"
    )


@pitfall.explains(
    r"NaNs detected in the merged (?:weights|bias)\. The adapter (?P<name>[\w.-]{1,80}) seems",
    odds=0.96,
)
def holds_nan(failure: Failure) -> Hits:
    yield failure.hit(
        f"the sum of the weights and `{failure.groups['name']}` holds NaN: the adapter's training had broken, or float16 overflows; an earlier checkpoint"
    )


@pitfall.explains(
    r"`tie_word_embeddings=True` and the tied_target_modules=\[(?P<names>[^\]\n]{1,200})", odds=0.95
)
def tied_layers_adapted(failure: Failure) -> Hits:
    names = failure.groups["names"]
    yield failure.hit(
        f"the adapter is on {names}, whose weight the embedding shares: apart it is right, merged it changes both; leave it out of target_modules, or untie before"
    )
