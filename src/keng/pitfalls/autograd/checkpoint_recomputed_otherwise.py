r"""A checkpointed part computes something else the second time.

Activation checkpointing forgets what is between and computes it again in backward. That must do the very same
operations: a counter, a cache, a branch on what changes in between, another autocast, a layer that was switched to eval,
or weights that were loaded or gathered in the meantime make it differ. The reentrant form besides knows only
`.backward()` without `inputs`, and records nothing where no input asks for a gradient.

Cure: keep changing state out of the checkpointed part; `use_reentrant=False`; `debug=True` prints both runs.

Bad (a branch on what changes):

```python
import torch
from torch.utils.checkpoint import checkpoint

calls = []


def block(x):
    calls.append(x)
    return x.exp().sin() if len(calls) == 1 else x.exp()


x = torch.ones(3, requires_grad=True)
loss = checkpoint(block, x, use_reentrant=False).sum()
loss.backward()  # seen: `2 tensors the first time and 1 the second`
```

Bad (another shape):

```python
import torch
from torch.utils.checkpoint import checkpoint

kept = [3]


def block(x):
    return (x[: kept.pop() if kept else 1] * 2).relu().sum()


x = torch.ones(3, requires_grad=True)
loss = checkpoint(block, x, use_reentrant=False)
loss.backward()  # seen: the slice is another one
```

Bad (the old form and `torch.autograd.grad`):

```python
import torch
from torch.utils.checkpoint import checkpoint

x = torch.ones(3, requires_grad=True)
loss = checkpoint(torch.exp, x, use_reentrant=True).sum()
(grad,) = torch.autograd.grad(loss, x)  # seen: `use_reentrant=False`
```

Good:

```python
import torch
from torch.utils.checkpoint import checkpoint

x = torch.ones(3, requires_grad=True)
loss = checkpoint(torch.exp, x, use_reentrant=False).sum()
(grad,) = torch.autograd.grad(loss, x)
```

Message (torch 1.0 to 2.13):

```text
UserWarning: None of the inputs have requires_grad=True. Gradients will be None
```

Message (torch 1.0 to 1.13):

```text
RuntimeError: Checkpointing is not compatible with .grad() or when an `inputs` parameter is passed to .backward(). Please use .backward() and do not pass its `inputs` argument.
```

Message (torch 1.5 to 2.13):

```text
RuntimeError: none of output has requires_grad=True, this checkpoint() is not necessary
```

Message (torch 2.4 to 2.13; `goes back once`):

```text
RuntimeError: Trying to backward an extra time. You are only allowed to backward once on any region computed under selective activation checkpoint.
```

Message (torch 2.13; `torch.ops.aten.mm.default`):

```text
ValueError: Expected op in `op_list` to be an OpOverload but got: <built-in method mm of type object at 0x7f6fafccea40> of type <class 'builtin_function_or_method'>.
```

Message (torch 2.13; `branch`):

```text
RuntimeError: aten.mm.default encountered during backward but not found in storage. This can happen if the operations in the checkpointed region are nondeterministic or depend on global state that changed between forward and backward.
```

Message (torch 2.13; `attention_mask`):

```text
  File "model.py", line 88, in forward
    x = checkpoint(layer, x, attention_mask=mask, use_reentrant=True)
  File "/env/lib/python3.11/site-packages/torch/utils/checkpoint.py", line 512, in checkpoint
    raise ValueError(
ValueError: Unexpected keyword arguments: attention_mask
```

Message (torch before 1.11; `1.11`):

```text
ValueError: Unexpected keyword arguments: use_reentrant
```

Message (torch 2.13; `segments`):

```text
  File "train.py", line 21, in forward
    return checkpoint_sequential(self.layers, 8, x, use_reentrant=False)
  File "/env/lib/python3.11/site-packages/torch/utils/checkpoint.py", line 622, in checkpoint_sequential
    for start in range(0, segment_size * (segments - 1), segment_size):
ValueError: range() arg 3 must not be zero
```

Message (torch 1.13 to 2.0):

```text
RuntimeError: Attempt to retrieve a tensor saved by autograd multiple times without checkpoint recomputation being triggered in between, this is not currently supported. Please open an issue with details on your use case so that we can prioritize adding this.
```

Message (torch 2.1 to 2.13; `27 tensors the first time and 8`):

```text
torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.
Number of tensors saved during forward: 27
Number of tensors saved during recomputation: 8
```

Message (torch 2.1 to 2.13, LoRA under DeepSpeed's ZeRO-3; `use_reentrant=True`):

```text
torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.
tensor at position 4:
saved metadata: {'shape': torch.Size([2048]), 'dtype': torch.bfloat16, 'device': device(type='cuda', index=0)}
recomputed metadata: {'shape': torch.Size([0]), 'dtype': torch.bfloat16, 'device': device(type='cuda', index=0)}
```

Message (torch 2.1 to 2.13, of a model of texts; `use_cache=False`):

```text
torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.
tensor at position 16:
saved metadata: {'shape': torch.Size([1, 12, 171, 128]), 'dtype': torch.bfloat16, 'device': device(type='cuda', index=0)}
recomputed metadata: {'shape': torch.Size([1, 12, 342, 128]), 'dtype': torch.bfloat16, 'device': device(type='cuda', index=0)}
```

Message (torch 2.1 to 2.13, of experts; `router`):

```text
torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.
tensor at position 46:
saved metadata: {'shape': torch.Size([965, 5120]), 'dtype': torch.bfloat16, 'device': device(type='xpu', index=3)}
recomputed metadata: {'shape': torch.Size([964, 5120]), 'dtype': torch.bfloat16, 'device': device(type='xpu', index=3)}
```

Message (torch 2.1 to 2.13, of a slice that is drawn; `a branch, a cache`):

```text
torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.
tensor at position 8:
saved metadata: {'shape': torch.Size([4, 320]), 'dtype': torch.float16, 'device': device(type='cuda', index=0)}
recomputed metadata: {'shape': torch.Size([128, 320]), 'dtype': torch.float16, 'device': device(type='cuda', index=0)}
```

Message (torch 2.1 to 2.13; `of bfloat16 the first time, of float32`):

```text
torch.utils.checkpoint.CheckpointError: torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.
tensor at position 4:
saved metadata: {'shape': torch.Size([2, 8]), 'dtype': torch.bfloat16, 'device': device(type='cuda', index=0)}
recomputed metadata: {'shape': torch.Size([2, 8]), 'dtype': torch.float32, 'device': device(type='cuda', index=0)}
```
"""

from keng.explain.advice.recomputed import second_run
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"torch\.utils\.checkpoint: (?:Recomputed values for the following tensors have different|"
    r"A different number of tensors was saved|trying to save more tensors during recomputation)",
    odds=0.95,
)
def differs(failure: Failure) -> Hits:
    yield failure.hit(second_run(failure.message))


@pitfall.explains(
    r"torch\.utils\.checkpoint is incompatible with \.grad\(\)",
    r"Checkpointing is not compatible with \.grad\(\)",
    odds=0.97,
)
def reentrant_knows_backward_only(failure: Failure) -> Hits:
    yield failure.hit(
        "the reentrant form knows only a plain .backward(): checkpoint(..., use_reentrant=False)"
    )


@pitfall.explains(r"None of the inputs have requires_grad=True\. Gradients will be None", odds=0.93)
def nothing_asks(failure: Failure) -> Hits:
    yield failure.hit(
        "no input of the checkpointed part asks for a gradient, so the reentrant form records none for its weights: "
        "use_reentrant=False, or model.enable_input_require_grads(); harmless in an evaluation"
    )


CURES = {
    "none of output has requires_grad=True, this checkpoint() is not necessary": "what the checkpointed part gives hangs on nothing that learns, "
    "as behind a detach(), no_grad or frozen layers in it: call that part without checkpoint",
    "Unpack is being triggered for a tensor that was already unpacked": "what a checkpointed part saves is read once: ctx.saved_tensors one time, and no "
    "retain_graph",
    "saved by autograd multiple times without checkpoint recomputation": "what a checkpointed part saves is read once: ctx.saved_tensors one time, and no "
    "retain_graph",
    "Trying to backward an extra time": "a part under selective checkpointing goes back once: no retain_graph, one backward of the sum",
    "Tensor cached during selective activation checkpoint has been mutated": "what selective checkpointing keeps is changed in place: x = x + 1",
    "is only supported when use_reentrant=False": "context_fn, debug and determinism_check are of the newer form: use_reentrant=False",
    "Expected op in `op_list` to be an OpOverload": "selective checkpointing names operators as the dispatcher does: torch.ops.aten.mm.default, not torch.mm",
    "policy_fn_or_list must be either": "selective checkpointing goes by a function or a list of operators, [torch.ops.aten.mm.default]",
    "debug=True is incompatible with non-default context_fn": "debug=True wants the usual contexts: context_fn left out while searching",
    "encountered during backward but not found": "what is computed again has an operation more than the forward: the same branch and the same policy both times",
    "Tensor arguments, excluding CPU tensors, are detected on at least two": "the checkpointed part is on cards of two kinds, and random numbers of one alone are repeated: one kind, or no dropout in it",
}
pitfall.answers(CURES, odds=0.95)


@pitfall.explains(r"Unexpected keyword arguments: (?P<names>\w[\w, ]{0,120})", odds=0.96)
def given_by_name(failure: Failure) -> Hits:
    names = failure.groups["names"]
    if "use_reentrant" in names:
        yield failure.hit("this PyTorch knows no use_reentrant, which came with 1.11: leave it out")
    elif failure.passed_through("torch/utils/checkpoint.py"):
        yield failure.hit(
            f"the reentrant form hands on positional arguments alone, and {names} came by name: use_reentrant=False"
        )


@pitfall.explains(r"range\(\) arg 3 must not be zero|\bmodulo by zero", odds=0.95)
def cut_into_too_many(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/utils/checkpoint.py"):
        yield failure.hit(
            "checkpoint_sequential cuts the layers into segments, of which there are none, or more than layers"
        )
