r"""`gradcheck` is given what it cannot compare.

`torch.autograd.gradcheck` changes each number of the inputs by 1e-6, looks how the outputs change, and compares that with what backward gives. So the inputs are of
float64, where a step that small is not rounded away, each number in a place of its own; the function gives outputs of one shape, the same each time, and computes them
where autograd sees it. The other checks, of batched, forward and second derivatives, want what they are about.

Cure: `x.double().requires_grad_()`, `.contiguous()` after `expand`; no `detach()` inside; a generator with a fixed seed; `nondet_tol=1e-5` for sums on a card.

Bad (a result that is cut off):

```python
import torch

x = torch.rand(3, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(lambda x: x.detach().square(), x)  # seen: `detach()`
```

Bad (one number in three places):

```python
import torch

x = torch.rand(1, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(torch.square, x.expand(3))  # seen: `expand`
```

Good:

```python
import torch

x = torch.rand(3, dtype=torch.float64, requires_grad=True)
torch.autograd.gradcheck(torch.square, x)
```

Message (torch 2.13; `float64`):

```text
UserWarning: Input #0 requires gradient and is not a double precision floating point or complex. This check will likely fail if all the inputs are not of double precision floating point or complex.
```

Message (torch 2.13; `a mask`):

```text
AssertionError: Expected `func` to return outputs with the same shape when inputs are perturbed on index (0,) by 1e-06, but got: shapes torch.Size([0]) and torch.Size([1]).
```

Message (torch 2.13; `nondet_tol`):

```text
torch.autograd.gradcheck.GradcheckError: Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was 0.0.
```

Message (torch 2.13; `to_dense()`):

```text
ValueError: Sparse output is not supported at gradcheck yet. Please call to_dense(masked_grad=...) on the output of fn for gradcheck.
```

Message (torch 2.13; `check_batched_grad`):

```text
AssertionError: Setting check_batched_grad=True requires check_backward_ad to be True
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

pitfall.answers(
    {
        "Numerical gradient for function expected to be zero": "small steps change an output that autograd takes for a constant: a detach(), .data, .item() or NumPy "
        "inside of the function",
        "gradcheck only supports inputs that are non-overlapping": "one number of an input stands in several places, as after expand: expand(...).contiguous()",
        "requires gradient and is not a double precision": "in float32 the small steps are rounded away, and right gradients look wrong: inputs of float64",
        "to return outputs with the same shape when inputs": "how many results there are hangs on the values, as with a mask or nonzero: inputs away from its threshold",
        "Backward is not reentrant": "backward gives other numbers for the same input each time: randomness in it, or sums on a card in any order, for which nondet_tol=1e-5",
        "output is not supported at gradcheck yet": "dense results alone are compared: .to_dense() at the end of the function",
        "backward not multiplied by grad_output": "backward gives something where it is given zeros: multiply by the gradient that it is given",
        "While computing batched gradients, got:": "backward does not go through vmap: generate_vmap_rule=True, or check_batched_grad=False",
        "Expected backward function to handle undefined output grads": "backward is given None for an output that nobody uses: `if grad is None`, or check_undefined_grad=False",
        "Analytical gradient has incorrect size": "backward gives a gradient of another shape than its input has",
        "Gradient has dtype mismatch": "backward gives a gradient of another dtype than its input has",
    },
    odds=0.95,
)


@pitfall.explains(
    r"Setting (?P<check>check_\w+)=True requires (?P<other>check_\w+) to be True", odds=0.95
)
def one_check_without_another(failure: Failure) -> Hits:
    check, other = failure.groups["check"], failure.groups["other"]
    yield failure.hit(f"{check} looks closer at what {other} looks at: both, or neither")
