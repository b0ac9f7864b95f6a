r"""The backward of a custom function never reads the gradient that it is given.

`backward` gets the gradient of the loss by what the function gave, and returns that by what it was given: the product of this
gradient with the function's own slope. Where it returns the slope alone, all that comes after the function is forgotten: the layers before
it are pushed the same way whatever the loss says. Weights of the loss and the scale of mixed precision are forgotten too.

Cure: `return grad_output * slope`, and `torch.autograd.gradcheck` on the function in float64.

Bad:

```python
import torch
from torch import nn


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return s * (1 + x * (1 - s))  # here: the slope alone


torch.manual_seed(0)
x = torch.randn(5, requires_grad=True)
(ours,) = torch.autograd.grad((3 * Swish.apply(x)).sum(), x)
(true,) = torch.autograd.grad((3 * nn.functional.silu(x)).sum(), x)
```

Proof:

```python
assert not torch.allclose(ours, true) and torch.allclose(3 * ours, true)
```

Bad (one of two arguments is a flag; what is kept hangs on the context):

```python
import torch
from torch.autograd import Function


class Clip(Function):
    @staticmethod
    def forward(ctx, values, limit):
        ctx.inside = values.abs() <= limit
        return values.clamp(-limit, limit)

    @staticmethod
    def backward(ctx, grad):
        gradient = ctx.inside.float()
        return gradient, None  # here: as well


x = torch.linspace(-2, 2, 5, requires_grad=True)
Clip.apply(x, 1.0).sum().neg().backward()
```

Proof:

```python
assert x.grad.tolist() == [0, 1, 1, 1, 0]
```

Good:

```python
import torch
from torch import nn


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad_output * s * (1 + x * (1 - s))


torch.manual_seed(0)
x = torch.randn(5, requires_grad=True)
(ours,) = torch.autograd.grad((3 * Swish.apply(x)).sum(), x)
```

Fine (nothing goes back; zeros; said to be unread; changed on its way; a function of its own that is run):

```python
import torch
from torch.autograd import Function


class Stop(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return (None,) * (ctx.n + 1)


class Step(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.zeros_like(x)


class Given(Function):
    @staticmethod
    def forward(ctx, x, gradient):
        ctx.save_for_backward(gradient)
        return x.clone()

    @staticmethod
    def backward(ctx, _grad):
        (gradient,) = ctx.saved_tensors
        return gradient, None


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.clone()

    @staticmethod
    def backward(ctx, *grads):
        return ctx.factor * grads[0], None


class Told(Function):
    @staticmethod
    def forward(ctx, x, tell):
        ctx.tell = tell
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return ctx.tell(), None


x = torch.ones(3, requires_grad=True)
Stop.apply(x, 1)
Step.apply(x).sum().backward()
Given.apply(x, torch.ones(3)).sum().backward()
Scaled.apply(x, 2.0).sum().backward()
Told.apply(x, lambda: None).sum().backward()
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def slope_alone(code: Code) -> Hits:
    for backward, gradient, returned, weighs in code.gradients_unread():
        says = f"`{backward.name}` never reads `{gradient}`: what comes after the function is forgotten"
        yield code.hit(returned, says, sure=weighs)
