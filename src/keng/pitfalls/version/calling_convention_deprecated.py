r"""A way of calling something is on its way out.

The thing stays, and an argument of it, or what it does without one, goes or has changed: `scheduler.step(epoch)`,
`get_lr()` from outside, `broadcast_buffers=` of DDP, `x.T` of more than two dimensions, hooks that see only the last operation, resampling that
does not say which corners are aligned. The warning comes once and the result may be another one than in the
version that the code was written for.

Cure: write what the warning names; for resampling say `align_corners=True` to get what versions before 0.4 gave, `False` for
today's.

Bad (a scheduler that is told the epoch):

```python
import warnings

import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
optimizer.step()
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    scheduler.step(3)
    rate = scheduler.get_lr()
```

Proof:

```python
told = " ".join(str(each.message) for each in said)
assert "epoch parameter" in told and "get_last_lr" in told
```

Good:

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
optimizer.step()
scheduler.step()
rate = scheduler.get_last_lr()
```

Message (torch 1.8 to 1.12, of an installed package; `works as before`):

```text
/env/lib/python3.8/site-packages/yolox/models/head.py:31: UserWarning: __floordiv__ is deprecated, and its behavior will change in a future version of pytorch. It currently rounds toward 0 (like the 'trunc' function NOT 'floor').
  shift = stride // 2
```

Message (torch 1.4 to 2.13; `scheduler.step()`):

```text
UserWarning: The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use `scheduler.step()` to step the scheduler.
```

Message (torch 1.4 to 2.13; `get_last_lr()`):

```text
UserWarning: To get the last learning rate computed by the scheduler, please use `get_last_lr()`.
```

Message (torch 1.3 to 2.13; `align_corners`):

```text
UserWarning: Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for details.
```

Message (torch 0.4 to 1.13; `align_corners`):

```text
UserWarning: Default upsampling behavior when mode=bilinear is changed to align_corners=False since 0.4.0. Please specify align_corners=True if the old behavior is desired.
```

Message (torch 1.8 to 1.13; `rounding_mode`):

```text
UserWarning: __floordiv__ is deprecated, and its behavior will change in a future version of pytorch. It currently rounds toward 0 (like the 'trunc' function NOT 'floor').
```

Message (torch 1.11 to 2.13; `permute`):

```text
UserWarning: The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release.
```

Message (torch 1.8 to 2.13; `register_full_backward_hook`):

```text
FutureWarning: Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and will be removed in future versions. This hook will be missing some grad_input.
```

Message (torch 2.0 to 2.13; `register_full_backward_hook`):

```text
FutureWarning: Using non-full backward hooks on a Module that does not return a single Tensor or a tuple of Tensors is deprecated and will be removed in future versions.
```

Message (torch 1.13 to 2.13; `prefix=`):

```text
FutureWarning: Positional args are being deprecated, use kwargs instead. Refer to https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.
```

Message (torch 1.10 to 2.13; `only_inputs`):

```text
FutureWarning: only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the graph, please use torch.autograd.backward.
```

Message (torch 0.4 to 2.13; `min_val=`):

```text
FutureWarning: keyword argument `min_value` is deprecated and renamed to `min_val`
```

Message (torch 2.0 to 2.13; `untyped_storage`):

```text
UserWarning: TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class.
```

Message (an older torch; `rounding_mode`):

```text
UserWarning: floor_divide is deprecated, and will be removed in a future version of pytorch. It currently rounds toward 0 (like the 'trunc' function NOT 'floor').
```

Message (torch 2.13; `alpha=`):

```text
UserWarning: This overload of add_ is deprecated:
        add_(Number alpha, Tensor other)
Consider using one of the following signatures instead:
        add_(Tensor other, *, Number alpha = 1) (Triggered internally at /pytorch/torch/csrc/utils/python_arg_parser.cpp:1841.)
```

Message (torch 2.13; `interpolate`):

```text
UserWarning: `nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.
```

Message (torch 2.13; `resize_(0)`):

```text
UserWarning: An output with one or more elements was resized since it had shape [1], which does not match the required output shape [2, 3]. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements.
```

Message (torch 2.13; `indexing='ij'`):

```text
UserWarning: torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument. (Triggered internally at /pytorch/aten/src/ATen/native/TensorShape.cpp:4215.)
```

Message (torch 2.13; `forward_sync_buffers`):

```text
FutureWarning: `broadcast_buffers` is deprecated. Use `forward_sync_buffers` instead. IMPORTANT: unlike `broadcast_buffers=False`, `forward_sync_buffers=False` still syncs buffers at init.
```

Message (torch 2.2 to 2.8; `verbose=`):

```text
UserWarning: The verbose parameter is deprecated. Please use get_last_lr() to access the learning rate.
```

Message (torch 1.0 to 2.13; `reshape`):

```text
UserWarning: non-inplace resize is deprecated
```

Message (torch 1.0 to 2.13; `gumbel_softmax`):

```text
UserWarning: `eps` parameter is deprecated and has no effect.
```

Message (torch 1.1 to 2.13; `check_reduction`):

```text
FutureWarning: The `check_reduction` argument in `DistributedDataParallel` module is deprecated. Please avoid using it.
```

Message (torch 2.13; `grad_tensors`):

```text
FutureWarning: `grad_variables` is deprecated. Use `grad_tensors` instead.
```

Message (torch 2.4 to 2.13; `device_type`):

```text
TypeError: custom_fwd() missing 1 required keyword-only argument: 'device_type'
```

Message (torch 2.13; `reset_peak_memory_stats()`):

```text
FutureWarning: torch.cuda.reset_max_memory_allocated now calls torch.cuda.reset_peak_memory_stats, which resets /all/ peak memory stats.
```

Message (torch 0.4 to 1.1, of code for 0.3; `F.embedding`):

```text
  File "/home/u/embed_regularize.py", line 19, in embedded_dropout
    X = embed._backend.Embedding.apply(words, masked_embed_weight,
  File "/env/lib/python3.6/site-packages/torch/nn/backends/backend.py", line 10, in __getattr__
    raise NotImplementedError
NotImplementedError
```
"""

from keng.explain.advice.shown import asker
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint")

INSTEAD = {
    "The epoch": "scheduler.step() without the epoch",
    "To get the": "get_last_lr() instead of get_lr()",
    "align_corners": "say align_corners: True for what older versions gave, False for today's",
    "floor": "torch.div(a, b, rounding_mode='floor') or 'trunc', whichever is meant",
    "This overload": "the factor by name and last: x.add_(y, alpha=0.5) instead of x.add_(0.5, y)",
    "broadcast_buffers": "forward_sync_buffers= in its place, which keeps the first broadcast; where each rank has buffers of its own from "
    "the start, leave it",
    "psample": "nn.functional.interpolate instead of upsample: the same arguments",
    "meshgrid": "say the order: indexing='ij' for what it gave so far",
    "out": "out= of the shape of the result, or empty: out.resize_(0)",
    "`x.T`": "x.permute(...) or x.mT instead of x.T",
    "Using a non": "register_full_backward_hook instead of register_backward_hook",
    "non-full": "register_full_backward_hook instead of register_backward_hook",
    "Positional args": "state_dict() by names: state_dict(destination=..., prefix=...), most often a library's: harmless",
    "verbose": "a scheduler without verbose=: print(scheduler.get_last_lr())",
    "only_inputs": "grad() without only_inputs, which does nothing",
    "deprecated and renamed": "min_val= and max_val= instead of min_value= and max_value=",
    "resize": "x.reshape(...) or x.view(...) instead of x.resize(...), which changes nothing in place",
    "`eps`": "gumbel_softmax without eps=, which does nothing",
    "check_reduction": "DistributedDataParallel without check_reduction=, which does nothing",
    "reset_max": "torch.cuda.reset_peak_memory_stats(), which resets all peaks",
    "grad_variables": "backward(grad_tensors=...) in place of grad_variables",
    "custom_fwd": "@torch.amp.custom_fwd(device_type='cuda'), which torch.cuda.amp.custom_fwd did without",
    "custom_bwd": "@torch.amp.custom_bwd(device_type='cuda'), which torch.cuda.amp.custom_bwd did without",
    "TypedStorage": "tensor.untyped_storage() instead of storage(), most often a library's: harmless",
}


@pitfall.explains(
    r"(?P<what>The epoch) parameter in `scheduler\.step\(\)` was not necessary",
    r"(?P<what>To get the) last learning rate computed by the scheduler",
    r"Default \w[\w ]{2,40}behavior .{0,30}?(?:has )?changed to (?P<what>align_corners)=False",
    r"__(?P<what>floor)div__ is deprecated, and its behavior will change",
    r"(?P<what>floor)_divide is deprecated",
    r"(?P<what>This overload) of \w+ is deprecated",
    r"nn\.(?:functional\.)?[Uu](?P<what>psample)`? is deprecated",
    r"`(?P<what>broadcast_buffers)` is deprecated\. Use `forward_sync_buffers`",
    r"torch\.(?P<what>meshgrid): in an upcoming release, it will be required to pass the indexing argument",
    r"An (?P<what>out)put with one or more elements was resized since it had shape",
    r"The use of (?P<what>`x\.T`) on tensors of dimension other than 2",
    r"(?P<what>Using a non)-full backward hook when ",
    r"Using (?P<what>non-full) backward hooks on a Module",
    r"(?P<what>Positional args) are being deprecated, use kwargs instead\. Refer to \S{0,60}pytorch",
    r"(?P<what>only_inputs) argument is deprecated",
    r"The (?P<what>verbose) parameter is deprecated\. Please use get_last_lr",
    r"keyword argument `(?:min|max)_value` is (?P<what>deprecated and renamed)",
    r"non-inplace (?P<what>resize)(?:_as)? is deprecated",
    r"(?P<what>`eps`) parameter is deprecated and has no effect",
    r"The `(?P<what>check_reduction)` argument in `DistributedDataParallel` module is deprecated",
    r"cuda\.(?P<what>reset_max)_memory_\w+ now calls torch\.cuda\.reset_peak_memory_stats",
    r"`(?P<what>grad_variables)` (?:is deprecated|\(deprecated\) arguments both passed)",
    r"(?P<what>custom_[fb]wd)\(\) missing 1 required keyword-only argument: 'device_type'",
    r"(?P<what>TypedStorage) is deprecated",
    odds=0.95,
)
def another_way(failure: Failure) -> Hits:
    who, says = asker(failure, " "), INSTEAD[failure.groups["what"]]
    if who and failure.kind.endswith("Warning"):
        says = f"it works as before, and {who} is to change it: {says}"
    yield failure.hit(says)


@pitfall.explains(r"\bNotImplementedError$", odds=0.95)
def through_an_old_backend(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/backends/backend.py"):
        yield failure.hit(
            "the backend of a layer has no functions any more since torch 0.4: those of torch.nn.functional, F.embedding for Embedding"
        )
