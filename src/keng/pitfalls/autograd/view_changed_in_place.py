r"""A view is changed in place where autograd cannot follow.

`unbind`, `split`, `chunk` and iterating over a tensor give several views of one memory; a change of one of them would have
to be told to all others, which autograd refuses. A view that was made under `no_grad` has no history, so that a
change in place with gradients on would be ambiguous. What a layer with a full backward hook takes and gives are
such views too, so that an activation with inplace=True behind it fails.

Cure: compute a new value, `a = a + 1` instead of `a += 1`, or `.clone()` the view first; make the view and
change it both inside `no_grad`, or both outside.

Bad:

```python
import torch

x = torch.ones(2, 3, requires_grad=True) * 1
first, second = x.unbind(0)
first += 1  # seen: `a = a + 1`
```

Bad (made without gradients):

```python
import torch

x = torch.ones(3, requires_grad=True) * 1
with torch.no_grad():
    row = x.view(1, 3)
row.mul_(2)  # seen: `no_grad`
```

Bad (a layer with a full backward hook gives it):

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(inplace=True))
model[0].register_full_backward_hook(lambda module, into, out: None)
model(torch.ones(1, 2))  # seen: `inplace=False`
```

Bad (a function with a backward of its own gives it):

```python
import torch


class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)

    @staticmethod
    def backward(ctx, grad):
        return grad


y = Kept.apply(torch.ones(3, requires_grad=True) * 1)
y += 1  # seen: `Kept`
```

Good:

```python
import torch

x = torch.ones(2, 3, requires_grad=True) * 1
first, second = x.unbind(0)
first = first + 1
with torch.no_grad():
    row = x.view(1, 6)
    row.mul_(2)
```

Message (torch 1.7 to 2.4):

```text
RuntimeError: Output 0 of SplitBackward is a view and its base or another view of its base has been modified inplace. This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace.
```

Message (an older torch, of unbind, split or chunk; `clone it first`):

```text
RuntimeError: diff_view_meta->output_nr_ == 0 INTERNAL ASSERT FAILED at "/opt/conda/conda-bld/pytorch/torch/csrc/autograd/variable.cpp":363, please report a bug to PyTorch.
```

Message (an older torch; `clone it first`):

```text
RuntimeError: in-place operations can be only used on variables that don't share storage with any other variables, but detected that there are 2 objects sharing it
```

Message (torch 1.0 to 2.13; `set_to_none=True`):

```text
RuntimeError: Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients.
```
"""

from keng.explain.advice.fits import hooked_and_changed
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Output \d+ of (?P<node>\w+) is a view and (?:is being modified|its base or another view of its base has been "
    r"modified) in-?place",
    odds=0.96,
)
def one_of_several(failure: Failure) -> Hits:
    node = failure.groups["node"].removesuffix("0").removesuffix("Backward")
    if node == "BackwardHookFunction":
        yield failure.hit(*hooked_and_changed(failure))
        return
    if "custom Function" in failure.message:
        says = (
            f"what `{node}`, a function with a backward of its own, gives shares its input's memory"
        )
        yield failure.hit(f"{says} and is changed in place: a = a + 1, or .clone() it there")
        return
    yield failure.hit(
        f"one of several views, of {node.lower()}, is changed in place: a = a + 1, or clone it first"
    )


@pitfall.explains(
    r"A view was created in (?P<mode>no_grad|inference) mode and is being modified inplace",
    odds=0.96,
)
def without_history(failure: Failure) -> Hits:
    mode = "no_grad" if failure.groups["mode"] == "no_grad" else "inference mode"
    yield failure.hit(
        f"the view was made under {mode} and is changed in place outside of it: do both inside or both outside"
    )


@pitfall.explains(
    r"diff_view_meta->output_nr_ == 0",
    r"in-place operations can be only used on variables that don't share storage with any other",
    odds=0.95,
)
def in_old_words(failure: Failure) -> Hits:
    yield failure.hit(
        "what is changed in place shares its memory with other views: a = a + 1, or clone it first"
    )


DETACHED = "a view is not detached in place: x = x.detach(); gradients of DistributedDataParallel, zero_grad(set_to_none=True)"
pitfall.answers({"Can't detach views in-place": DETACHED}, odds=0.97)
