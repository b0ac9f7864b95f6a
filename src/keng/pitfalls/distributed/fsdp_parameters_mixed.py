r"""FSDP is given parameters that it cannot lay into one.

`FullyShardedDataParallel` joins the parameters of a wrapped part into one flat tensor. They must be of one dtype, and,
without `use_orig_params=True`, all frozen or all learning, which LoRA and partly frozen models are not. What it
has sharded must not be used outside of its forward, and plain tensors do not mix with DTensors.

Cure: `use_orig_params=True`, or a wrapping policy that puts frozen and learning parts into different units; one
dtype for the whole model (`model.to(torch.bfloat16)`) before wrapping; `fully_shard` has the first limit no more.

Bad:

```python
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel

dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 2).cuda()
model.bias.requires_grad = False
model = FullyShardedDataParallel(model)
```

Good:

```python
import torch

model = torch.nn.Linear(4, 2).to(torch.bfloat16)
print(next(model.parameters()).dtype)
```

Message (torch 2.0 to 2.13; `one dtype`):

```text
ValueError: Must flatten tensors with uniform dtype but got torch.bfloat16 and torch.float32
```

Message (torch 2.0 to 2.13; `use_orig_params`):

```text
ValueError: Must flatten tensors with uniform `requires_grad` when `use_orig_params=False`
```

Message (torch 2.2 to 2.13; `register_fsdp_forward_method`):

```text
RuntimeError: aten.mm.default: got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!
```

Message (torch 2.0 to 2.13, an embedding that is used outside of its unit; `sharded`):

```text
RuntimeError: 'weight' must be 2-D
```

Message (torch 1.13 to 2.13, a model that no engine of DeepSpeed runs; `torchrun`):

```text
fine-tuning with ds_z3_config.json on a single card
RuntimeError: 'weight' must be 2-D
with zero2 it works, with ZeRO-3 it does not
```

Message (torch 2.0 to 2.13):

```text
AssertionError: FSDP does not support changing the parameters between forward and backward for FullyShardedDataParallel
```

Message (torch 2.0 to 2.13; `cuda:0`):

```text
ValueError: Inconsistent compute device and `device_id` on rank 1: cuda:0 vs cuda:1
```

Message (torch 2.0 to 2.13; `bitsandbytes`):

```text
ValueError: Cannot flatten integer dtype tensors
```

Message (accelerate; `print(model)`):

```text
ValueError: Could not find a transformer layer class called 'LlamaDecoderLayer' to wrap in the model.
```

Message (torch 2.1 to 2.13; `use_orig_params=True`):

```text
ValueError: layers.0 has both parameters with requires_grad=True and False. FSDP does not support wrapping such modules when use_orig_params=False. If the former is expected, please set use_orig_params=True.
```

Message (torch 2.0 to 2.13; `device_id=`):

```text
ValueError: Must flatten tensors on the same device but got both cuda:0 and cpu
```

Message (torch 2.0; `use_orig_params=True`):

```text
ValueError: `FlatParameter` requires uniform `requires_grad`
```

Message (torch 1.12 to 2.0; `several dtypes`):

```text
ValueError: `FlatParameter` requires uniform dtype but got torch.float16 and torch.float32
```

Message (torch 2.2 to 2.13, of an optimizer; `foreach=False`):

```text
RuntimeError: aten._foreach_lerp_.Scalar: got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor before calling distributed operators!
```
"""

import re

from keng.explain.advice.processes import of_two_kinds
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")

ZERO3 = re.compile(r"zero[ _-]{0,2}(?:stage[ _-]{0,2})?3|deepspeed", re.IGNORECASE)


@pitfall.explains(
    r"(?:Must flatten tensors with (?:the same|uniform)|`FlatParameter` requires uniform) `?dtype",
    odds=0.95,
)
def of_several_dtypes(failure: Failure) -> Hits:
    yield failure.hit(
        "one FSDP unit holds parameters of several dtypes: one dtype for the model before wrapping"
    )


@pitfall.explains(
    r"(?:Must flatten tensors with (?:the same|uniform)|`FlatParameter` requires uniform) `?requires_grad",
    odds=0.95,
)
def partly_frozen(failure: Failure) -> Hits:
    yield failure.hit(
        "one FSDP unit holds frozen and learning parameters: use_orig_params=True, or wrap them apart"
    )


@pitfall.explains(r"(?:aten\.(?P<op>\w+)[\w.]*: )?got mixed torch\.Tensor and DTensor", odds=0.95)
def tensors_of_two_kinds(failure: Failure) -> Hits:
    yield failure.hit(of_two_kinds(failure.groups["op"]))


@pitfall.explains(r"'weight' must be 2-D", odds=0.8)
def used_while_sharded(failure: Failure) -> Hits:
    if ZERO3.search(f"{failure.told} {failure.message}"):
        yield failure.hit(
            "the table is empty, as ZeRO-3 shares it out and no engine gathers it: start by torchrun, deepspeed or accelerate launch, "
            "on one card too; a second model, as a reference, goes through prepare() as well"
        )
        return
    yield failure.hit(
        "the table is not (words, features): under ZeRO-3 or FSDP it is sharded or empty, so start by deepspeed or torchrun, and keep it "
        "in the unit that uses it; else F.embedding(indices, table) in this order"
    )


@pitfall.explains(r"FSDP does not support changing the parameters between forward", odds=0.95)
def changed_between(failure: Failure) -> Hits:
    yield failure.hit(
        "parameters were replaced between forward and backward, which FSDP forbids: after backward, in place, under summon_full_params"
    )


@pitfall.explains(
    r"Inconsistent compute device and `device_id` on rank (?P<rank>\d+): (?P<there>\S{3,12}) vs (?P<wants>[\w:]{3,12})",
    odds=0.95,
)
def on_another_card(failure: Failure) -> Hits:
    rank, there, wants = (failure.groups[key] for key in ("rank", "there", "wants"))
    yield failure.hit(
        f"on rank {rank} the parameters lie on {there} and device_id is {wants}: torch.cuda.set_device(local_rank) first, "
        "and no .cuda() to card 0"
    )


pitfall.answers(
    {
        "Cannot flatten integer dtype tensors": "FSDP shards floating-point weights only, and some are integers, as quantized "
        "ones are: quant_storage of bitsandbytes as the other weights' dtype, or FSDP2",
        "Forward order differs": "the ranks, or the steps, run the layers in another order: no branch on data around them",
        "to wrap in the model": "FSDP finds no layer class of that name in this model: print(model) shows the names",
    },
    odds=0.9,
)


pitfall.answers(
    {
        "FSDP does not support wrapping such modules when use_orig_params=False": "a unit holds frozen and learning parameters: use_orig_params=True, or wrap them apart",
        "Must flatten tensors on the same device but got both": "parts of one unit lie on two devices: move all of the model first, or device_id=",
    },
    odds=0.95,
)
