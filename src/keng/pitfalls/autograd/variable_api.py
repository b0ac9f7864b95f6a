r"""Tensors are wrapped in `Variable`.

Up to PyTorch 0.3 only a `Variable` knew gradients, and `volatile=True` switched them off for all that
followed from it. Since 0.4 every tensor knows them. `Variable(x)` now gives a tensor of the same memory
that is cut off from the graph behind `x`, and `volatile` does nothing but warn: predictions made with it
record gradients and take the memory of a training step.

Cure: use the tensor itself; `with torch.no_grad():` in place of `volatile=True`.

Bad (`volatile`):

```python
import torch
from torch import nn
from torch.autograd import Variable

model = nn.Linear(8, 1)
x = Variable(torch.randn(4, 8), volatile=True)  # here: gradients are recorded
y = model(x)
```

Proof:

```python
assert y.requires_grad
```

Bad (a loss that is wrapped):

```python
import torch
from torch import nn
from torch.autograd import Variable

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(4, 8)).square().mean()
loss = Variable(loss, requires_grad=True)  # here: cut off from the model
loss.backward()
```

Proof:

```python
assert model.weight.grad is None
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
with torch.no_grad():
    y = model(torch.randn(4, 8))
loss = model(torch.randn(4, 8)).square().mean()
loss.backward()
```

Fine (another Variable, and one of one's own):

```python
import torch


class Variable:
    def __init__(self, name, volatile=False):
        self.name = name


x = Variable("x", volatile=True)
```

Message (torch 0.4 to 2.13):

```text
train.py:7: UserWarning: volatile was removed and now has no effect. Use `with torch.no_grad():` instead.
  x = Variable(torch.randn(4, 8), volatile=True)
```

Message (torch 0.4 to 2.13; `retain_graph`):

```text
TypeError: backward() got an unexpected keyword argument 'retain_variables'
```

Message (an older torch; `before 0.4`):

```text
TypeError: expected Variable as element 0 in argument 0, but got torch.FloatTensor
```

Message (an older torch; `before 0.4`):

```text
RuntimeError: expected a Variable argument, but got torch.FloatTensor
```

Message (torch 0.2 to 0.3; `before 0.4`):

```text
RuntimeError: expected Variable (got 'torch.cuda.FloatTensor')
```

Message (an older torch; `numpy.ndarray`):

```text
TypeError: Variable data has to be a tensor, but got numpy.ndarray
```

Message (an older torch; `second time`):

```text
RuntimeError: Variable data has to be a tensor, but got Variable
```

Message (torch 0.2 to 0.3, in a layer; `Variable(x)`):

```text
Traceback (most recent call last):
  File "model.py", line 42, in forward
    return self.embedding(x)
  File "/env/lib/python3.6/site-packages/torch/nn/modules/sparse.py", line 103, in forward
    self.scale_grad_by_freq, self.sparse
RuntimeError: save_for_backward can only save input or output tensors, but argument 0 doesn't satisfy this condition
```

Message (torch 2.13; `torch.tensor(x)`):

```text
RuntimeError: torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead
```

Message (torch 0.2 to 0.3; `leave .data out`):

```text
RuntimeError: cannot call .data on a torch.Tensor: did you intend to use autograd.Variable?
```

Message (torch 0.1 to 0.3; `DataParallel`):

```text
AssertionError: Tensors not supported in scatter.
```

Message (torch 0.3, of vector_to_parameters; `Variable(x)`):

```text
TypeError: expected torch.autograd.Variable, but got: torch.FloatTensor
```

Message (torch 0.1 to 0.3; `volatile=True`):

```text
RuntimeError: volatile can only be set on leaf variables
```

Message (torch 0.2 to 0.3, of torch.cat; `do not mix`):

```text
RuntimeError: function ConcatBackward returned a gradient different than None at position 3, but the corresponding forward input was not a Variable
```

Message (torch 0.2 to 0.3; `retain_graph`):

```text
UserWarning: retain_variables option is deprecated and will be removed in 0.3. Use retain_graph instead.
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code
from keng.tables.graph_nodes import OWN

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def wrapped(code: Code) -> Hits:
    for call in code.calls_to("torch.autograd.Variable"):
        given = {keyword.arg for keyword in call.keywords}
        if len(call.args) != 1 or not given <= {"requires_grad", "volatile"}:
            continue
        inner = call.args[0]
        name = code.text_of(inner)
        if "volatile" in given:
            yield code.hit(call, "`volatile` does nothing: what follows records gradients")
            continue
        cut = code.is_scalar(inner)
        asks = code.asks_for_gradients(call) and not cut
        text = f"{code.operand(inner)}.requires_grad_()" if asks else code.operand(inner)
        whole = code.is_taken_whole(call) and not asks
        fix = Fix("Use the tensor", (code.replace(call, name if whole else text),))
        what = f"`{name}`" if len(name) < 40 else "the tensor"
        says = f"`Variable` gives {what} itself, cut off from its graph"
        yield code.hit(call, says, fix=fix)


@pitfall.explains(r"volatile was removed and now has no effect", odds=0.98)
def without_effect(failure: Failure) -> Hits:
    yield failure.hit("`volatile` does nothing: put what follows under `with torch.no_grad():`")


@pitfall.explains(r"unexpected keyword argument 'retain_variables'", odds=0.95)
def renamed(failure: Failure) -> Hits:
    yield failure.hit("the argument has been called retain_graph since 0.4")


@pitfall.explains(
    r"expected (?:a )?Variable (?:argument|as element \d+ in argument \d+), but got (?P<came>[\w.]+)",
    r"expected Variable \(got '(?P<came>[\w.]+)'\)",
    r"Variable data has to be a tensor, but got (?P<came>[\w.]+)",
    odds=0.93,
)
def in_a_torch_that_has_variables(failure: Failure) -> Hits:
    came = failure.groups["came"]
    if came == "Variable":
        yield failure.hit(
            "a Variable is wrapped a second time: leave the second out, or update torch"
        )
    elif came.endswith("Tensor"):
        yield failure.hit(
            "before 0.4 only a Variable records gradients: Variable(x), or update torch, where a tensor does"
        )
    else:
        yield failure.hit(
            f"a Variable is made of a tensor, and not of {came}: torch.from_numpy of an array"
        )


pitfall.answers(
    {
        "cannot call .data on a torch.Tensor": "before 0.4 a plain tensor has no .data, which is a Variable's: leave .data out, or update torch",
        "Tensors not supported in scatter": "before 0.4 DataParallel shares out Variables: Variable(x) for each tensor that is given, or update torch",
        "expected torch.autograd.Variable, but got": "before 0.4 this takes a Variable, not a plain tensor: Variable(x), or update torch",
        "volatile can only be set on leaf variables": "volatile is said where the Variable is made: Variable(x, volatile=True), and since 0.4 torch.no_grad()",
        "retain_variables option is deprecated": "the argument is called retain_graph since 0.2",
        "torch.autograd.variable(...) is deprecated": "torch.autograd.variable is a module since 0.4: torch.tensor(x), with requires_grad=True where it learns",
    },
    odds=0.95,
)


@pitfall.explains(r"save_for_backward can only save input or output tensors", odds=0.95)
def plain_tensor_in_a_layer(failure: Failure) -> Hits:
    if any("/torch/nn/" in frame.posix for frame in failure.frames):
        yield failure.hit(
            "before 0.4 a layer takes a Variable, and gets a plain tensor: Variable(x), or update torch"
        )


@pitfall.explains(
    rf"function (?:{OWN}) returned a gradient different than None at position \d+", odds=0.95
)
def mixed_with_plain_tensors(failure: Failure) -> Hits:
    yield failure.hit(
        "before 0.4 Variables and plain tensors do not mix: Variable(x) for all of them, or update torch"
    )
