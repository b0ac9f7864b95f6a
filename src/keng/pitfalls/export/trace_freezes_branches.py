r"""A model whose way depends on its data is traced.

Tracing runs the model once on an example and writes down the operations. An `if` on a tensor, a loop over its size,
`int(x)` and `x.item()` are Python's: the trace keeps the one way and the one number of the example, and later inputs
take it too, whatever they are. There is a warning, and the traced model gives wrong results in silence.

Cure: `torch.where` in place of the branch; `torch.export` with dynamic shapes, which refuses such a branch instead of
freezing it; compare on inputs that take the other way.

Bad:

```python
import torch
from torch import nn


class Sign(nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # here: `x.sum() > 0`
            return x
        return -x


traced = torch.jit.trace(Sign(), torch.ones(2))
```

Proof:

```python
assert traced(-torch.ones(2)).tolist() != Sign()(-torch.ones(2)).tolist()
```

Bad (exported by a trace):

```python
import io

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor):
        y = self.layer(x)
        while y.norm() > 1:  # here: the number of rounds is that of the example
            y = y / 2
        return y


model, file = Scaled(), io.BytesIO()
torch.onnx.export(model, torch.ones(1, 2), file, dynamo=False)
```

Proof:

```python
assert file.getvalue()
```

Good:

```python
import torch
from torch import nn


class Sign(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x, -x)


exported = torch.export.export(Sign(), (torch.ones(2),))
```

Fine (branches on settings, sizes that are checked, and None):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.layer, self.deep = nn.Linear(2, 2), deep

    def forward(self, x, mask=None):
        if x.dim() != 2:
            raise ValueError("two dimensions are wanted")
        if self.deep and mask is None:
            x = self.layer(x)
        if self.training:
            x = x + torch.randn_like(x)
        return self.layer(x)


class Branching(nn.Module):
    def forward(self, x):
        return x if bool(x.sum() > 0) else -x


exported = torch.export.export(Net(deep=True).eval(), (torch.ones(1, 2),))
y = Branching()(torch.ones(2))


def export(path):
    torch.onnx.export(Net(deep=True).eval(), (torch.ones(1, 2),), path, dynamo=False)
```

Message (torch 1.0 to 2.13):

```text
/home/u/net.py:9: TracerWarning: Converting a tensor to a Python boolean might cause the trace to be incorrect. We can't record the data flow of Python values, so this value will be treated as a constant in the future. This means that the trace might not generalize to other inputs!
  if x.sum() > 0:
```

Message (torch 1.0 to 2.13):

```text
TracerWarning: Output nr 1. of the traced function does not match the corresponding output of the Python function. Detailed error:
Tensor-likes are not close!
```

Message (torch 1.0 to 2.13):

```text
torch.jit._trace.TracingCheckError: Tracing failed sanity checks!
ERROR: Graphs differed across invocations!
```

Message (torch 1.12 to 2.13; `harmless`):

```text
TracerWarning: Output nr 1. of the traced function does not match the corresponding output of the Python function. Detailed error:
Tensor-likes are not close!

Mismatched elements: 6 / 6 (100.0%)
Greatest absolute difference: 0.00020003318786621094 at index (0, 0) (up to 1e-05 allowed)
```

Message (torch 1.12 to 2.13; `branch on data`):

```text
TracerWarning: Output nr 1. of the traced function does not match the corresponding output of the Python function. Detailed error:
Tensor-likes are not close!

Mismatched elements: 6 / 6 (100.0%)
Greatest absolute difference: 2.5 at index (0, 0) (up to 1e-05 allowed)
```

Message (torch 1.8 to 1.11; `harmless`):

```text
TracerWarning: Output nr 1. of the traced function does not match the corresponding output of the Python function. Detailed error:
With rtol=1e-05 and atol=1e-05, found 2 element(s) (out of 2) whose difference(s) exceeded the margin of error (including 0 nan comparisons). The greatest difference was 0.00005916 (-6.07734 vs. -6.07740), which occurred at index (0, 0).
```

Message (torch 1.0 to 2.13; `random operations`):

```text
TracerWarning: Trace had nondeterministic nodes. Did you forget call .eval() on your model? Nodes:
        %y : Float(20, 3) = aten::dropout(%x, %p, %train)
```

Message (torch 1.0 to 2.13; `output 1`):

```text
RuntimeError: output 1 (6.94717
[ CPUDoubleType{} ]) of traced region did not have observable data dependence with trace inputs; this probably indicates your program cannot be understood by the tracer.
```

Message (torch 1.0 to 2.13; `x.shape[0]`):

```text
TracerWarning: Using len to get tensor shape might cause the trace to be incorrect. Recommended usage would be tensor.shape[0]. Passing a tensor of different shape might lead to errors or silently give incorrect results.
```

Message (torch 1.0 to 2.13; `rows`):

```text
TracerWarning: Iterating over a tensor might cause the trace to be incorrect. Passing a tensor of different shape won't change the number of iterations executed (and might lead to errors or silently give incorrect results).
```
"""

from keng.explain.advice.compiled import second_time
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def frozen_branch(code: Code) -> Hits:
    for place, test in code.traced_branches():
        yield code.hit(place, f"the trace keeps what `{test}` is for its example")


@pitfall.explains(
    r"Converting a tensor to a Python (?P<what>\w+) might cause the trace",
    r"(?P<what>Using len) to get tensor shape might cause the trace",
    r"(?P<what>Iterating) over a tensor might cause the trace",
    odds=0.95,
)
def frozen_in_the_trace(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what in ("Using len", "Iterating"):
        yield failure.hit("the trace keeps how many rows there were: x.shape[0], or x.unbind(0)")
        return
    yield failure.hit(
        f"a tensor becomes a Python {what} here, and the trace keeps that one value: harmless where it is the same for all inputs, as a "
        "check of sizes; else torch.where, or torch.jit.script for it"
    )


@pitfall.explains(
    r"Tracing failed sanity checks|Trace had nondeterministic nodes",
    r"of the traced function does not match the corresponding output",
    odds=0.93,
)
def another_way_the_second_time(failure: Failure) -> Hits:
    yield failure.hit(second_time(failure.message))


@pitfall.explains(
    r"output (?P<nth>\d+) \([^)]{0,400}?\) of traced region did not have observable data dependence",
    odds=0.93,
)
def independent_of_the_inputs(failure: Failure) -> Hits:
    yield failure.hit(
        f"output {failure.groups['nth']} does not come from the inputs by operations of torch: it went through NumPy or a number of Python's, or is a "
        "constant"
    )
