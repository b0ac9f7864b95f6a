r"""A custom autograd function gives back other gradients than its inputs have.

`backward` of a `torch.autograd.Function` returns one gradient for each argument of `forward`, in the same order, each
of the shape of its argument; None for what needs none, as numbers and flags. Before PyTorch 1.3 such functions were
written with instance methods, which are refused now.

Cure: count the arguments of `forward` without `ctx` and return as many; sum a gradient over what was broadcast;
`@staticmethod def forward(ctx, ...)`, called by `.apply`.

Bad (one gradient for two arguments):

```python
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor


x = torch.ones(3, requires_grad=True)
Scale.apply(x, 2.0).sum().backward()  # seen: `expected 2, got 1`
```

Bad (of another shape):

```python
import torch


class Total(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum(0)

    @staticmethod
    def backward(ctx, grad):
        return grad.new_ones(7)


x = torch.ones(2, 3, requires_grad=True)
Total.apply(x).sum().backward()  # seen: `[7]`
```

Bad (in the old way):

```python
import torch


class Twice(torch.autograd.Function):
    def forward(self, x):
        return 2 * x


y = Twice()(torch.ones(2))  # seen: `@staticmethod`
```

Bad (another gradient than the true one):

```python
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x


x = torch.full((2,), 3.0, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(Square.apply, x)  # seen: `output 0 by input 0`
```

Good:

```python
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


x = torch.ones(3, requires_grad=True)
Scale.apply(x, 2.0).sum().backward()
```

Message (torch 0.2 to 1.13):

```text
RuntimeError: save_for_backward can only save input or output tensors, but argument 0 doesn't satisfy this condition
```

Message (torch 0.2 to 2.13; `argument 1`):

```text
RuntimeError: function ScaleBackward returned a gradient different than None at position 1, but the corresponding forward input was not a Variable
```

Message (torch 1.8 to 2.13, of a column; `grad.reshape(x.shape)`):

```text
RuntimeError: Function ShiftBackward returned an invalid gradient at index 1 - got [32] but expected shape compatible with [32, 1]
```

Message (torch 1.8 to 2.13; `transpose it`):

```text
RuntimeError: Function TurnBackward returned an invalid gradient at index 0 - got [4, 3] but expected shape compatible with [3, 4]
```

Message (torch 1.8 to 2.13, of a renderer whose points are all pruned; `nothing is left`):

```text
RuntimeError: Function _RasterizeBackward returned an invalid gradient at index 2 - got [0, 0, 3] but expected shape compatible with [0, 16, 3]
```

Message (torch 1.0 to 1.4; `grad.to(x.dtype)`):

```text
RuntimeError: Function ScaleBackward returned an invalid gradient at index 0 - expected type torch.cuda.HalfTensor but got torch.cuda.FloatTensor
```

Message (torch 0.1 to 1.7, of the old kind with self; `expected 3, got 2`):

```text
RuntimeError: Scale returned an invalid number of gradient tensors (expected 3, but got 2)
```

Message (torch 1.2 to 1.4; `@staticmethod`):

```text
UserWarning: Legacy autograd function object was called twice.  You will probably get incorrect gradients from this computation, as the saved tensors from the second invocation will clobber the saved tensors from the first invocation.  Please consider rewriting your autograd function in the modern style; for information on the new format, please see: https://pytorch.org/docs/stable/notes/extending.html#extending-torch-autograd
```
"""

import re

from keng.explain.advice.passes import fitted_gradient
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.graph_nodes import OWN

pitfall = Pitfall(__name__, __doc__, severity="error")

SHOWN = re.compile(r"\[[\d, ]*\]|\b(?!type |device )\w[\w.:]{0,40}")


@pitfall.explains(
    r"function (?P<name>\w+) returned an incorrect number of gradients \(expected (?P<wants>\d+), got (?P<got>\d+)\)",
    r"\b(?P<name>\w{1,80}) returned an invalid number of gradient tensors \(expected (?P<wants>\d+), but got (?P<got>\d+)\)",
    odds=0.97,
)
def another_number(failure: Failure) -> Hits:
    name, wants, got = (failure.groups[key] for key in ("name", "wants", "got"))
    says = f"`{name}` gives another number of gradients than forward has arguments (expected {wants}, got {got})"
    rest, fix = failure.mended("gradients_left_out", name.removesuffix("Backward"), int(got)) or (
        "those that need none",
        None,
    )
    yield failure.hit(f"{says}: None for {rest}", fix)


@pitfall.explains(
    rf"Function (?P<name>(?!(?:{OWN})\b)\w+) returned an invalid gradient at index (?P<at>\d+) - (?:got|expected) (?P<got>\S.{{0,60}}?) but "
    r"(?:expected|got) (?:shape compatible with )?(?P<wants>\S.{0,40})",
    odds=0.9,
)
def another_shape(failure: Failure) -> Hits:
    name, at, came, there = (failure.groups[key] for key in ("name", "at", "got", "wants"))
    what = came.split()[0] if (turned := " - expected " in failure.message) else ""
    came, there = (there, came) if turned else (came, there)
    came, there = (found[0] if (found := SHOWN.search(each)) else each for each in (came, there))
    yield failure.hit(
        f"the gradient {at} of {name} is {came}, and its argument {there}: {fitted_gradient(came, there, what)}"
    )


@pitfall.explains(
    r"Legacy [Aa]utograd function (?:with non-static forward method is|object was called twice|attempted to call backward)",
    odds=0.97,
)
def the_old_way(failure: Failure) -> Hits:
    yield failure.hit("forward and backward are to be @staticmethod, with ctx first; call .apply")


@pitfall.explains(r"save_for_backward can only save input or output tensors", odds=0.95)
def something_else_saved(failure: Failure) -> Hits:
    if any("/torch/nn/" in frame.posix for frame in failure.frames):
        return  # a layer of torch's, which was given a tensor where it saves a Variable
    yield failure.hit(
        "save_for_backward takes inputs and outputs alone: what else is needed goes to ctx.name"
    )


@pitfall.explains(
    r"Jacobian mismatch for output (?P<out>\d+) with respect to input (?P<at>\d+)", odds=0.9
)
def gradients_that_are_not(failure: Failure) -> Hits:
    out, at = failure.groups["out"], failure.groups["at"]
    yield failure.hit(
        f"backward gives another gradient of output {out} by input {at} than small steps do: see the formula, and that inputs are float64"
    )


@pitfall.explains(
    r"returned a gradient different than None at position (?P<at>\d+), but the corresponding forward input was not",
    odds=0.95,
)
def gradient_of_no_tensor(failure: Failure) -> Hits:
    at = failure.groups["at"]
    if not re.search(rf"function (?:{OWN}) ", failure.message):
        yield failure.hit(
            f"backward gives a gradient for argument {at}, which was no tensor: None there"
        )
