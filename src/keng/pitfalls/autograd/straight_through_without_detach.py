r"""A straight-through estimator cuts nothing, and its gradient is that of the step.

Rounding, signs and choices have no slope: what comes before them learns nothing. The straight-through estimator takes the rounded value
forward and the gradient of the value before it: `x + (q - x).detach()`. Without `detach` the two `x` cancel in the gradient as
they do in the value: what is left is `q`, with the gradient of `q`, which is zero. The layers after it still learn, so the loss falls.

Cure: `x + (q - x).detach()`.

Source: Bengio and others, 2013, Estimating or Propagating Gradients Through Stochastic Neurons for Conditional Computation.

Bad (weights of three values):

```python
import torch

torch.manual_seed(0)
weight = torch.randn(8, requires_grad=True)


def ternarize(w):
    scale = w.abs().mean().clamp_min(1e-6).detach()
    q = torch.clamp(torch.round(w / scale), -1, 1) * scale
    return w + (q - w)  # here: it is q


ternarize(weight).square().sum().backward()
```

Proof:

```python
assert not weight.grad.any()
```

Bad (a choice, in another order; a sign, in a module):

```python
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
logits = torch.randn(4, 3, requires_grad=True)
soft = logits.softmax(-1)
hard = F.one_hot(soft.argmax(-1), 3).float()
choice = hard - soft + soft  # here: the softmax hears nothing
choice[:, 0].sum().backward()


class Binary(nn.Linear):
    def forward(self, x):
        sign = torch.sign(self.weight)
        return F.linear(x, self.weight + (sign - self.weight), self.bias)  # here: as well


layer = Binary(3, 2)
layer(torch.randn(5, 3)).sum().backward()
```

Proof:

```python
assert logits.grad.abs().max() < 1e-6 and not layer.weight.grad.any()
```

Bad (the nearest of a codebook: the encoder hears nothing):

```python
import torch
from torch import nn

torch.manual_seed(0)
encoder, codebook = nn.Linear(4, 2), nn.Parameter(torch.randn(6, 2))
z = encoder(torch.randn(8, 4))
nearest = torch.cdist(z, codebook).argmin(-1)
quantized = codebook[nearest]
out = z + (quantized - z)  # here: it is the codebook's
out.square().sum().backward()
```

Proof:

```python
assert encoder.weight.grad.abs().max() < 1e-5
```

Good:

```python
import torch

torch.manual_seed(0)
weight = torch.randn(8, requires_grad=True)


def ternarize(w):
    scale = w.abs().mean().clamp_min(1e-6).detach()
    q = torch.clamp(torch.round(w / scale), -1, 1) * scale
    return w + (q - w).detach()


ternarize(weight).square().sum().backward()
```

Fine (cut in any of the ways; a part of the way; what a sum has lost to rounding; nothing is recorded; no step):

```python
import torch
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.randn(8, requires_grad=True)
q = x.round()
y = x + (q - x).detach()
y = (q - x).detach() + x
y = q - x.detach() + x
y = q.detach() - x.detach() + x
y = x + 0.5 * (q - x)
y = x - x.round() + q.sign()
soft = x.softmax(-1)
hard = F.one_hot(soft.argmax(-1), 8) - soft.detach() + soft
y = x + (hard - x)
a, b = torch.randn(8).round(), torch.randn(8)
total = a + b
lost = (a - total) + b
kept = torch.where(x > 0, x * 2, x)
y = x + (kept - x)
with torch.no_grad():
    shown = x + (q - x)


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x + (x.round() - x)

    @staticmethod
    def backward(ctx, grad):
        return grad


rounded = Rounded.apply(x)
y = x + (rounded - x)
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def cancels_itself(code: Code) -> Hits:
    for whole, value, step in code.straight_through_with_graph():
        x, q = code.text_of(value), code.text_of(step)
        says = f"`{x}` is added and taken away with its graph: what is left is `{q}`, with its slope alone"
        text = f"{x} + ({code.operand(step)} - {x}).detach()"
        yield code.hit(whole, says, Fix("Cut the difference", (code.replace(whole, text),)))
