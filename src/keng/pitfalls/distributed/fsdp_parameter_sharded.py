r"""A parameter of an FSDP model is used where only its shard is there.

FSDP gathers a wrapped module's parameters for its own forward and backward and lets them go after it. Outside, a weight is a flat piece of it, or of size
zero: a layer called by hand, `F.linear(x, model.head.weight)`, `generate` on the module inside, a norm over weights, or tied weights in two wrapped modules meet that.

Cure: call the outermost model; `with FullyShardedDataParallel.summon_full_params(model):` around what reads weights; wrap modules with
tied weights as one.

Bad:

```python
import torch.nn.functional as F


def logits(model, hidden):
    return F.linear(hidden, model.embedding.weight)
```

Good:

```python
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def norm(model):
    with FSDP.summon_full_params(model):
        return model.embedding.weight.norm()
```

Message (torch 2.0 to 2.13; `summon_full_params`):

```text
RuntimeError: setStorage: sizes [4096, 4096], strides [1, 4096], storage offset 0, and itemsize 2 requiring a storage size of 33554432 are out of bounds for storage of size 0
```

Message (torch 1.13 to 2.13 under ZeRO-3; `size 0`):

```text
RuntimeError: size mismatch, got input (8), mat (8x4096), vec (0)
```

Message (torch 1.13 to 2.13 under ZeRO-3; `GatheredParameters`):

```text
RuntimeError: Error(s) in loading state_dict for LlamaForCausalLM:
        size mismatch for model.embed_tokens.weight: copying a param with shape torch.Size([32001, 4096]) from checkpoint, the shape in current model is torch.Size([0]).
```

Message (torch 2.1, DeepSpeed ZeRO-3; `[256]`):

```text
RuntimeError: Function SumBackward0 returned an invalid gradient at index 0 - got [0] but expected shape compatible with [256]
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.graph_nodes import OWN

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several cards")


@pitfall.explains(
    r"requiring a storage size of \d+ are out of bounds for storage of size 0\b", odds=0.8
)
def storage_let_go(failure: Failure) -> Hits:
    yield failure.hit(
        "the weight is not gathered here: go through the outermost model's forward, or FSDP.summon_full_params(model)"
    )


@pitfall.explains(r"got input \(\d+\), mat \([\dx]+\), vec \(0\)", odds=0.96)
def weight_of_size_zero(failure: Failure) -> Hits:
    yield failure.hit(
        "the weight of this layer is not gathered here and has size 0: the layer is called outside of the model that was wrapped"
    )


@pitfall.explains(
    r"size mismatch for (?P<name>[\w.]{1,200}): copying a param with shape torch\.Size\(\[[\d, ]{1,60}\]\) from checkpoint, the shape in "
    r"current model is torch\.Size\(\[0\]\)",
    odds=0.95,
)
def loaded_over_shards(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has size 0, as ZeRO-3 or FSDP has shared out this model already: load before that, or inside "
        "deepspeed.zero.GatheredParameters(..., modifier_rank=0)"
    )


@pitfall.explains(
    rf"Function (?P<name>{OWN}) returned an invalid gradient at index \d+ - got \[0\] but expected shape compatible with "
    r"\[(?P<shape>[1-9][\d, ]{0,60})\]",
    odds=0.9,
)
def whole_in_one_pass_alone(failure: Failure) -> Hits:
    shape = failure.groups["shape"]
    yield failure.hit(
        f"a weight of [{shape}] is let go in backward, [0], as ZeRO-3 does: use it in the forward of its own module alone, no sum over parameters besides"
    )
