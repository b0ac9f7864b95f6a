r"""A hook gives back something else than what it was given.

A hook on a tensor gets its gradient and gives back None or a gradient of the same size, dtype and device. A forward pre-hook with keywords gives None
or the two together, arguments and keywords. `register_backward_hook`, the old way, and `register_full_backward_hook` do not go
together on one module.

Cure: `return grad * mask`, not a part of it; for only looking at it no return at all; `register_full_backward_hook` everywhere.

Bad (a part):

```python
import torch

x = torch.ones(4, requires_grad=True)
x.register_hook(lambda grad: grad[:2])
(x * 2).sum().backward()  # seen: `size`
```

Bad (no gradient):

```python
import torch

x = torch.ones(4, requires_grad=True)
x.register_hook(lambda grad: grad.norm().item())
(x * 2).sum().backward()  # seen: `float`
```

Bad (too many):

```python
import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.register_full_backward_hook(lambda module, grad_input, grad_output: grad_input * 3)
layer(torch.ones(1, 2, requires_grad=True)).sum().backward()  # seen: `3 gradients`
```

Good:

```python
import torch

norms = []
x = torch.ones(4, requires_grad=True)
x.register_hook(lambda grad: norms.append(grad.norm()))
(x * 2).sum().backward()
```

Message (torch 2.13; `the pair`):

```text
RuntimeError: forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got 3.
```

Message (torch 1.8 to 2.13; `register_full_backward_hook`):

```text
RuntimeError: Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them.
```

Message (torch 2.13; `nothing`):

```text
RuntimeError: Backward hook for Modules where no input requires gradient should always return None or None for all gradients.
```

Message (torch 2.13; `2 gradients`):

```text
RuntimeError: Backward pre hook returned an invalid number of grad_output, got 2, but expected 1
```

Message (torch 1.9 to 2.13; `a tensor`):

```text
RuntimeError: Cannot set Module backward hook for a Module with no input Tensors.
```

Bad (of a state dict):

```python
from torch import nn

layer = nn.Linear(2, 2)
layer.register_state_dict_post_hook(lambda module, state, prefix, meta: dict(state))
state = layer.state_dict()  # seen: `in place`
```

Bad (of loading):

```python
from torch import nn

layer = nn.Linear(2, 2)
layer.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys)
layer.load_state_dict(layer.state_dict())  # seen: `in place`
```

Message (torch 2.0 to 2.13; `forward itself`):

```text
UserWarning: module forward hook with ``always_call=True`` raised an exception that was silenced as another error was raised in forward: division by zero
```

Message (torch 2.13; `deleted`):

```text
RuntimeError: You are trying to call the hook of a dead Module!
```

Message (torch 2.13, a hook before an optimizer's step; `the pair`):

```text
RuntimeError: <function SGD.step at 0x7f9c2e3ca5c0> must return None or a tuple of (new_args, new_kwargs), but got 3.
```

Message (torch 0.1 to 1.1; `looks on`):

```text
RuntimeError: forward hooks should never return any values, but '<function save at 0x7f3a5c0d2e18>'didn't return None
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"hook '.{1,80}?' has changed the (?P<what>size|type|device|layout)\b", odds=0.97)
def of_another_kind(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"the hook gives back a gradient of another {what}: keep it, or return nothing"
    )


@pitfall.explains(r"expected (?:Variable|tuple), but hook returned '(?P<kind>\w+)'", odds=0.97)
def no_tensor(failure: Failure) -> Hits:
    yield failure.hit(f"the hook gives back {failure.groups['kind']}: a gradient, or nothing")


@pitfall.explains(r"must return None or a tuple of \(new_args, new_kwargs\)", odds=0.97)
def not_both(failure: Failure) -> Hits:
    yield failure.hit("a pre-hook with keywords returns None or the pair (args, kwargs)")


@pitfall.explains(r"Cannot use both regular backward hooks and full backward hooks", odds=0.97)
def both_ways(failure: Failure) -> Hits:
    yield failure.hit(
        "old and new backward hooks meet on one module: register_full_backward_hook for all"
    )


@pitfall.explains(
    r"Backward (?:pre )?hook returned an invalid number of grad_(?P<of>input|output), got (?P<got>\d+), but expected (?P<wants>\d+)",
    odds=0.97,
)
def of_another_number(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"the hook gives back {groups['got']} gradients, and there are {groups['wants']} {groups['of']}s"
    )


IN_PLACE = (
    "a hook of state_dict or load_state_dict changes what it is given in place, and returns nothing"
)
pitfall.answers(
    {
        "forward hooks should never return any values": "before torch 1.2 a forward hook looks on and returns nothing: without return, or a newer PyTorch",
        "Backward hook for Modules where no input requires gradient": "the module's inputs need no gradient, and its hook gives some: return nothing",
        "state_dict post-hook must return None": IN_PLACE,
        "register_load_state_dict_post_hook`` are not expected to return": IN_PLACE,
        "always_call=True`` raised an exception that was silenced": "forward itself has failed, and then this hook, which always runs: the first error is the cause",
        "the hook of a dead Module": "the module of this hook was deleted: keep the module as long as its hook, or remove the handle",
        "backward hook for a Module with no input Tensors": "a full backward hook wants a tensor among the positional inputs of its module: not in a dict, a list or a keyword",
    },
    odds=0.96,
)
