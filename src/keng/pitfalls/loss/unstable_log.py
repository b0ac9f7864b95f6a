r"""A logarithm is taken of a softmax or sigmoid.

Where the model is sure, softmax and sigmoid round to exactly 0, and the logarithm of 0 is minus
infinity: the loss is infinite and its gradients are NaN. `1 + exp(x)` overflows in the same way. The
functions that compute both steps at once do not pass through that number and are exact everywhere.

Cure: `log_softmax(x, dim)`, `logsigmoid(x)`, `softplus(x)`.

Bad (softmax):

```python
import torch

x = torch.tensor([[200.0, 0.0], [1.0, 2.0]])
log_p = torch.log(torch.softmax(x, dim=1))  # here: the softmax of 0 against 200 is 0
```

Proof:

```python
assert log_p.isinf().any()
```

Bad (sigmoid):

```python
import torch
import torch.nn.functional as F

x = torch.tensor([-200.0, 3.0])
log_p = torch.sigmoid(x).log()  # here: the sigmoid of -200 is 0
```

Proof:

```python
assert log_p.isinf().any()
```

Bad (softplus by hand):

```python
import torch
import torch.nn.functional as F

x = torch.tensor([200.0, 3.0])
y = torch.log(1 + torch.exp(x))  # here: exp(200) overflows
```

Proof:

```python
assert y.isinf().any()
```

Bad (by a name):

```python
import torch
import torch.nn.functional as F

x = torch.tensor([[200.0, 0.0], [1.0, 2.0]])
p = F.softmax(x, dim=1)
log_p = torch.log(p)  # here: p holds zeros
prediction = p.argmax(1)
```

Proof:

```python
assert log_p.isinf().any()
```

Bad (in a model that is trained):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return torch.log(torch.softmax(self.fc(x), dim=1))  # here: rounds to log 0


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.nll_loss(net(torch.randn(16, 8)), torch.randint(3, (16,)))
    loss.backward()
    optimizer.step()
```

Bad (softplus by hand, in training):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    margin = net(torch.randn(16, 8))
    loss = torch.log(1 + torch.exp(-margin)).mean()  # here: exp overflows
    loss.backward()
    optimizer.step()
```

Good:

```python
import torch
import torch.nn.functional as F

x = torch.tensor([[200.0, 0.0], [1.0, 2.0]])
log_p = torch.log_softmax(x, dim=1)
log_q = F.logsigmoid(x)
y = F.softplus(x)
```

Fine (kept away from 0, or of other things):

```python
import torch
import torch.nn.functional as F

x = torch.tensor([[200.0, 0.0], [1.0, 2.0]])
p = F.softmax(x, dim=1)
log_p = torch.log(p + 1e-8)
log_p = torch.log(p.clamp(min=1e-8))
q = p.clamp_min(1e-8)
log_q = q.log()
y = torch.log(1 + torch.arange(3))
z = torch.log(2 + torch.exp(-x.abs()))
total = torch.log(torch.exp(x).sum(1))
mass = torch.log(p.sum(1))
```

Fine (only taken where it does not overflow):

```python
import torch

x = torch.linspace(-5.0, 90.0, 10)
softplus = torch.where(x > 20.0, x, torch.log(1.0 + torch.exp(x)))
```

"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LossGraph
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

AT_ONCE = {
    "torch.softmax": "log_softmax",
    "torch.nn.functional.softmax": "log_softmax",
    "torch.Tensor.softmax": "log_softmax",
    "torch.sigmoid": "logsigmoid",
    "torch.nn.functional.sigmoid": "logsigmoid",
    "torch.Tensor.sigmoid": "logsigmoid",
}
EXP = ("torch.exp", "torch.Tensor.exp")
BETTER = {"softmax": "log_softmax", "sigmoid": "logsigmoid", "1 + exp": "softplus"}


@pitfall.finds(fixes=True)
def log_of_a_rounded_number(code: Code) -> Hits:
    for call, given in code.logarithms():
        origins = code.origins(given)
        if any(origin.dotted not in AT_ONCE for origin in origins):
            continue
        inner, better = origins[0].call, AT_ONCE[origins[0].dotted]
        text = code.respelled(inner, better) if inner is given and len(origins) == 1 else None
        fix = Fix(f"Compute it at once: {better}", (code.replace(call, text),)) if text else None
        says = f"`{code.text_of(given)}` rounds to 0 where the model is sure; {better} does not"
        yield code.hit(call, says, fix=fix)


@pitfall.finds(fixes=True)
def softplus_by_hand(code: Code) -> Hits:
    for call, given in code.logarithms():
        match given:
            case (
                ast.BinOp(left=ast.Constant(value=1), op=ast.Add(), right=ast.Call() as power)
                | ast.BinOp(left=ast.Call() as power, op=ast.Add(), right=ast.Constant(value=1))
            ) if code.value_of(power).dotted in EXP and not code.chosen_elsewhere(call):
                text = code.respelled(power, "softplus")
                fix = Fix("Use softplus", (code.replace(call, text),)) if text else None
                says = f"`{code.text_of(power)}` overflows where softplus does not"
                yield code.hit(call, says, fix=fix)


@pitfall.watches("loss.graph")
def log_in_the_graph(graph: LossGraph) -> Hits:
    for log in graph.logarithms:
        better = BETTER[log.of]
        says = f"the logarithm of {log.of} is not finite where the model is sure; {better} is"
        yield graph.hit(says, where=log.where)
