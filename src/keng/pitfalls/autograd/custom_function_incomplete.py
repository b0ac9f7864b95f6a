r"""A custom autograd function lacks a method, or keeps what it cannot keep.

A `torch.autograd.Function` has two static methods, `forward(ctx, ...)` and `backward(ctx, ...)`, spelled so. `ctx.save_for_backward` keeps
tensors; numbers and flags are kept as attributes of `ctx`. What `forward` changes in place is named with `ctx.mark_dirty`
and given back. `backward` gives tensors or None.

Cure: write the missing method; `ctx.scale = scale` for a number; for what autograd can derive by itself no Function at all.

Bad (no backward):

```python
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


y = Double.apply(torch.ones(2, requires_grad=True))
y.sum().backward()  # seen: `backward`
```

Bad (a number to be saved):

```python
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale


y = Scale.apply(torch.ones(2, requires_grad=True), 3)  # seen: `ctx.name`
```

Good:

```python
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.scale, None


y = Scale.apply(torch.ones(2, requires_grad=True), 3)
y.sum().backward()
```

Message (torch 2.13; `int`):

```text
RuntimeError: expected Variable or None (got int)
```

Message (torch 2.13; `give back`):

```text
RuntimeError: Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace must all be outputs of the Function.
```

Message (torch 0.2 to 1.8; `backward`):

```text
NotImplementedError: You must implement the backward function for custom autograd.Function.
```

Message (torch 1.5 to 1.13; `NoneType`):

```text
TypeError: _module_functionBackward.forward: expected Tensor or tuple of Tensor (got NoneType) for return value 0
```

Message (torch 2.13; `ctx`):

```text
  File "train.py", line 14, in <module>
    y = Square.apply(x)
  File "/env/lib/python3.11/site-packages/torch/autograd/function.py", line 596, in apply
    return super().apply(*args, **kwargs)
TypeError: Square.forward() takes 1 positional argument but 2 were given
```

Message (torch 2.13; `F.apply(x)`):

```text
DeprecationWarning: <class '__main__.Square'> should not be instantiated. Methods on autograd functions are all static, so you should invoke them on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.
```

Message (torch 2.13; `two names`):

```text
RuntimeError: Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of them.
```

Message (torch 0.4 to 1.5; `numpy.ndarray`):

```text
TypeError: Scale.forward: expected Variable (got numpy.ndarray) for return value 0
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"You must implement (?P<what>the (?:forward|backward) function|either the backward or vjp method|the jvp function) for "
    r"(?:your )?custom autograd\.Function",
    odds=0.97,
)
def method_missing(failure: Failure) -> Hits:
    names = [name for name in ("backward", "forward", "jvp") if name in failure.groups["what"]]
    yield failure.hit(f"the function has no {names[0]}: a static method of that name")


@pitfall.explains(
    r"save_for_backward can only save variables, but argument (?P<at>\d+) is of type (?P<kind>\w+)",
    odds=0.97,
)
def no_tensor_to_save(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"save_for_backward keeps tensors, and argument {groups['at']} is {groups['kind']}: ctx.name = value"
    )


@pitfall.explains(r"expected Variable or None \(got (?P<kind>\w+)\)", odds=0.96)
def no_tensor_given_back(failure: Failure) -> Hits:
    yield failure.hit(f"backward gives tensors or None, not {failure.groups['kind']}")


@pitfall.explains(
    r"Some elements marked as dirty during the forward method were not returned", odds=0.97
)
def changed_and_kept(failure: Failure) -> Hits:
    yield failure.hit(
        "mark_dirty names an input that forward does not give back: give back what was changed"
    )


@pitfall.explains(
    r"expected (?:Variable|Tensor or tuple of Tensors?) \(got (?P<kind>[\w.]+)\) for return value (?P<at>\d+)",
    odds=0.96,
)
def no_tensor_computed(failure: Failure) -> Hits:
    at, kind = failure.groups["at"], failure.groups["kind"]
    yield failure.hit(
        f"forward gives tensors, and its result {at} is {kind}: give back tensors alone"
    )


@pitfall.explains(
    r"\bforward\(\) takes (?P<takes>\d+) positional arguments? but (?P<given>\d+) (?:was|were) given",
    odds=0.96,
)
def without_the_context(failure: Failure) -> Hits:
    takes, given = failure.groups["takes"], failure.groups["given"]
    if failure.raised_in.endswith("torch/autograd/function.py"):
        yield failure.hit(
            f"forward takes {takes} and is given {given}, the first of them ctx: def forward(ctx, ...), or a setup_context beside it"
        )


pitfall.answers(
    {
        "Implementing both 'backward' and 'vjp'": "backward and vjp are two names of one method: keep one of them",
        "Methods on autograd functions are all static": "no object is made of an autograd.Function: F.apply(x) in place of F()(x)",
        "save_for_forward expects all arguments to be tensors": "save_for_forward keeps tensors alone: ctx.name = value for the rest",
        "setup_context is not implemented": "a forward without ctx wants a setup_context(ctx, inputs, output) beside it, static as well",
    },
    odds=0.95,
)
