r"""A layer is built anew in every forward pass.

A layer made in `forward` is no part of the model: its weights are random at each call, no optimizer has them, they are
not saved, and they lie on the CPU. A dropout made there is always in training mode, for `eval()` never reaches it.

Cure: make the layer in `__init__` and keep it on `self`; for sizes that are known only later, `nn.LazyLinear`.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)

    def forward(self, x):
        x = torch.relu(self.body(x))
        head = nn.Linear(8, 2)  # here: new weights at each call
        return head(x)


model, x = Net(), torch.ones(1, 4)
```

Proof:

```python
assert len(list(model.parameters())) == 2
assert not torch.equal(model(x), model(x))
```

Bad (moved before it is called):

```python
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.inputs, self.outputs = inputs, outputs
        self.body = nn.Linear(inputs, outputs)

    def forward(self, x):
        y = self.body(x)
        if self.inputs != self.outputs:
            x = nn.Linear(self.inputs, self.outputs).to(x.device)(x)  # here: a new shortcut
        return x + y


model = Block(4, 2)
x = torch.ones(1, 4)
one, two = model(x), model(x)
```

Proof:

```python
assert not torch.equal(one, two)
```

Bad (a dropout):

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return nn.Dropout(0.5)(x)  # here: `eval()` never reaches it


model = Net().eval()
y = model(torch.ones(1, 1000))
```

Proof:

```python
assert (y == 0).any()
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.LazyLinear(8), nn.Linear(8, 2)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        return self.head(self.dropout(torch.relu(self.body(x))))


model = Net()
y = model(torch.ones(1, 4))
```

Fine (kept once made; filled by hand; without parameters; in training only; told the mode):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = None

    def forward(self, x, y=None):
        if self.head is None:
            self.head = nn.Linear(x.shape[-1], 2)
        scale = nn.Linear(4, 4, bias=False)
        scale.weight.data[:] = torch.eye(4)
        x = nn.ReLU()(scale(x))
        if self.training:
            x = nn.Dropout(0.1)(x)
        x = nn.Dropout(0.1).train(self.training)(x)
        return self.head(x) if y is None else nn.MSELoss()(self.head(x), y)


y = Net()(torch.ones(1, 4), torch.ones(1, 2))
```

Message (torch 1.0 to 2.13, the older exporter to ONNX; `__init__`):

```text
RuntimeError: state_dict changed after running the tracer; something weird is happening in your model!
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def new_at_each_call(code: Code) -> Hits:
    for call, drops in code.layers_built_in_forward():
        why = "`eval()` never reaches it" if drops else "its weights are new at each call"
        yield code.hit(call, f"this layer is made in forward: {why}")


@pitfall.explains(r"state_dict changed after running the tracer", odds=0.93)
def seen_by_the_exporter(failure: Failure) -> Hits:
    yield failure.hit(
        "forward makes or drops parameters or buffers, so that the model that was traced is another one: make them in __init__"
    )
