r"""A tensor is changed behind autograd's back, through `.data`.

`x.data` is the same memory as `x`, without a graph and without the counter by which autograd notices that a value which
it has kept for backward was overwritten. Written to inside a forward pass, it changes the result and not the graph:
backward computes with the wrong numbers and says nothing. `x.detach()` gives the same memory and is noticed. Given another shape so, as
by pruning, a parameter keeps its place in the graph, which expects a gradient of the old shape.

Cure: an operation that gives a new tensor (`torch.where`, `masked_fill`, `clamp`); `with torch.no_grad():` to change
a parameter between two steps; a new `nn.Parameter` for another shape, and a new optimizer.

Bad:

```python
import torch

x = torch.ones(3, requires_grad=True)
y = x.exp()
y.data.clamp_(max=1.0)  # here: backward of exp uses y
y.sum().backward()
```

Proof:

```python
assert x.grad.tolist() == [1.0, 1.0, 1.0]
right = torch.ones(3, requires_grad=True)
right.exp().clamp(max=1.0).sum().backward()
assert right.grad.tolist() == [0.0, 0.0, 0.0]
```

Bad (in a module, by index):

```python
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        scores = torch.sigmoid(self.layer(x))
        scores.data[:, 0] = 0.0  # here: the graph knows nothing of it
        return scores.sum()


model, x = Masked(), torch.ones(2, 4)
model(x).backward()
```

Proof:

```python
assert model.layer.weight.grad[0].eq(0).all()
```

Bad (pruned between forward and backward):

```python
from torch import nn

layer = nn.Conv2d(3, 4, 3)
penalty = layer.weight.norm()
layer.weight.data = layer.weight.data[:2]
penalty.backward()  # seen: `[4, 3, 3, 3]`
```

Bad (pruned between two steps):

```python
import torch
from torch import nn

layer = nn.Linear(4, 3)
loss = layer(torch.ones(2, 4)).sum()
loss.backward()
layer.zero_grad()
layer.weight.data, layer.bias.data = layer.weight.data[:2], layer.bias.data[:2]
loss = layer(torch.ones(2, 4)).sum()
loss.backward()  # seen: `another shape`
```

Good:

```python
import torch

x = torch.ones(3, requires_grad=True)
y = x.exp().clamp(max=1.0)
y.sum().backward()
with torch.no_grad():
    x.add_(1.0)
```

Fine (parameters at their start and between steps; what has no graph; an update without gradients):

```python
import torch
from torch import nn

model = nn.Linear(4, 4)
model.weight.data.normal_(0.0, 0.02)
for p in model.parameters():
    p.data.mul_(0.9)
    p.data = p.data.clone()
mask = torch.zeros(4)
mask.data[0] = 1.0
with torch.no_grad():
    y = model(torch.ones(1, 4))
    y.data[0] = 0.0
shadow = model.weight.data.clone()


class Sparse:
    def __init__(self, data):
        self.data, self.weights = data, torch.ones(3)

    def scaled(self):
        other = Sparse(self.data * self.weights)
        other.data[0] = 0.0
        other.data *= 2
        return other


Sparse(torch.ones(3)).scaled()
```

Message (an older torch; `torch.no_grad()`):

```text
RuntimeError: set_storage is not allowed on a Tensor created from .data or .detach().
If your intent is to change the metadata of a Tensor (such as sizes / strides / storage / storage_offset)
without autograd tracking the change, remove the .data / .detach() call and wrap the change in a `with torch.no_grad():` block.
```

Message (torch 1.5, on several cards; `[61, 64, 1, 3]`):

```text
RuntimeError: Function BroadcastBackward returned an invalid gradient at index 10 - got [61, 64, 1, 3] but expected shape compatible with [64, 64, 1, 3]
```

Message (torch 1.5, typed off; `[512, 120, 3, 3]`):

```text
function normbackward1 returned an invalid gradient at index 0 - got [512, 120, 3, 3] but expected shape compatible with [512, 5 12, 3, 3] (validate_outputs at /pytorch/torch/csrc/autograd/engine.cpp:472)
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Grad
from keng.tables.graph_nodes import OWN

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def written_behind_the_graph(code: Code) -> Hits:
    for node, tensor in code.data_overwritten():
        if code.grad_at(node) is Grad.ON and code.has_graph(tensor):
            name = code.text_of(tensor)
            says = f"backward does not notice that `{name}` changes here: its gradients go wrong"
            edit = code.out_of_place(node, tensor)
            fix = Fix("Make a new tensor, which the graph knows", (edit,)) if edit else None
            yield code.hit(node, says, fix=fix)


@pitfall.explains(
    r"\b(?P<what>set_\w{3,40}|resize_) is not allowed on a Tensor created from \.data or \.detach\(\)",
    odds=0.95,
)
def reshaped_behind_the_graph(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} would give the tensor itself another memory behind the graph: change x under torch.no_grad(), or clone it"
    )


@pitfall.explains(
    rf"(?i:function (?P<name>{OWN})) returned an invalid gradient at index \d+ - got \[(?P<came>[1-9][\d, ]{{0,60}})\] "
    r"but expected shape compatible with \[(?P<wants>[1-9][\d, ]{0,60})\]",
    odds=0.88,
)
def pruned_behind_the_graph(failure: Failure) -> Hits:
    name, came, wants = (failure.groups[key] for key in ("name", "came", "wants"))
    yield failure.hit(
        f"what went into {name} was [{wants}] for the graph and is [{came}] now: given another shape behind it, by .data or pruning; a new nn.Parameter, and forward again"
    )
