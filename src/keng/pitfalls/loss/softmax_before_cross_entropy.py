r"""Probabilities are given to cross-entropy, which takes raw outputs.

`nn.CrossEntropyLoss` and `F.cross_entropy` apply log-softmax themselves. Given probabilities they
apply it a second time, to numbers between 0 and 1: the loss cannot come near zero (with ten classes it
stays above 1.46), gradients are flat, and training is slow and ends early, without any error.
(log-softmax before it is harmless: applied twice it changes nothing.)

Cure: give the raw outputs to the loss; use softmax only to read predictions.

Bad:

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 3)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
probabilities = F.softmax(model(x), dim=1)
loss = F.cross_entropy(probabilities, y)  # here: `probabilities went through softmax on line 8`
loss.backward()
```

Bad (a model that ends in softmax):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        x = self.fc(x)
        return self.softmax(x)


net = Net()
criterion = nn.CrossEntropyLoss()
x, y = torch.randn(16, 8), torch.randint(3, (16,))
loss = criterion(net(x), y)  # here: `the output of net went through softmax before`
loss.backward()
```

Bad (a Sequential that ends in Softmax):

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3), nn.Softmax(dim=-1))
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
output = model(torch.randn(16, 8))
loss = criterion(output, torch.randint(3, (16,)))  # here: `output went through softmax before`
loss.backward()
```

Bad (two ways, both through softmax):

```python
import torch
import torch.nn.functional as F
from torch import nn

model, temperature = nn.Linear(8, 3), 2.0
output = model(torch.randn(16, 8))
if temperature == 1:
    p = output.softmax(dim=1)
else:
    p = (output / temperature).softmax(dim=1)
loss = F.cross_entropy(p, torch.randint(3, (16,)))  # here: `p went through softmax already`
loss.backward()
```

Bad (the other half of it, which takes logarithms):

```python
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(8, 3), torch.randint(3, (8,))
loss = F.nll_loss(torch.softmax(x, dim=1), y)  # here: log_softmax belongs here
```

Proof:

```python
assert loss < 0
```

Bad (of an output whose kind is not known, and flattened):

```python
from types import SimpleNamespace

import torch
from torch import nn


def weighted(output, labels):
    found, weight = output.logits.softmax(-1), torch.ones(3)
    labels = labels.view(-1)
    return nn.CrossEntropyLoss(weight=weight)(found.view(-1, 3), labels)  # here: `softmax`


output = SimpleNamespace(logits=nn.Linear(8, 3)(torch.randn(2, 5, 8)))
loss = weighted(output, torch.randint(3, (2, 5)))
loss.backward()
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 3)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
output = model(x)
loss = F.cross_entropy(output, y)
loss.backward()
prediction = F.softmax(output, dim=1).argmax(1)
```

Fine (log_softmax, softmax for reading only, in attention, or before another loss):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.fc = nn.Linear(8, 1), nn.Linear(8, 3)

    def forward(self, x):
        weights = F.softmax(self.score(x), dim=1)
        x = self.fc((weights * x).sum(1))
        if not self.training:
            return F.softmax(x, dim=1)
        return x


net = Net()
x, y = torch.randn(16, 5, 8), torch.randint(3, (16,))
F.cross_entropy(net(x), y).backward()
F.cross_entropy(F.log_softmax(net(x), dim=1), y).backward()
F.nll_loss(F.log_softmax(net(x), dim=1), y).backward()
brier = F.mse_loss(F.softmax(net(x), dim=1), F.one_hot(y, 3).float())
brier.backward()
```

Fine (soft targets are probabilities by right):

```python
import torch
import torch.nn.functional as F
from torch import nn

student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
x = torch.randn(16, 8)
with torch.no_grad():
    target = F.softmax(teacher(x), dim=1)
F.cross_entropy(student(x), target).backward()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LossCall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

LOSSES = ("torch.nn.CrossEntropyLoss", "torch.nn.functional.cross_entropy")
SOFTMAX = {
    "torch.softmax",
    "torch.nn.functional.softmax",
    "torch.Tensor.softmax",
    "torch.nn.Softmax",
}


@pitfall.finds(fixes=True)
def probabilities_given(code: Code) -> Hits:
    for call in code.loss_calls(*LOSSES):
        given = code.argument(call, "input", position=0)
        origins = code.origins(given)
        if any(origin.dotted not in SOFTMAX for origin in origins):
            continue
        assert given is not None, "what is not there comes from nowhere"
        softmax = origins[0].call if len(origins) == 1 else None
        fix = code.bypass(softmax, "Give the raw outputs to the loss")
        line = code.line_of(softmax)
        where = f"on line {line}" if line and softmax is not given else "already"
        yield code.hit(call, f"`{code.text_of(given)}` went through softmax {where}", fix=fix)


@pitfall.finds(fixes=True)
def probabilities_for_logarithms(code: Code) -> Hits:
    for call in code.loss_calls("torch.nn.NLLLoss", "torch.nn.functional.nll_loss"):
        given = code.argument(call, "input", position=0)
        origins = code.origins(given)
        if given is None or any(origin.dotted not in SOFTMAX for origin in origins):
            continue
        fix, softmax = None, origins[0].call
        if softmax is not None and softmax is given:
            text = code.respelled(softmax, "log_softmax")
            fix = Fix("Give the logarithm", (code.replace(given, text),)) if text else None
        says = f"`{code.text_of(given)}` is a softmax; nll_loss takes its logarithm"
        yield code.hit(call, says, fix=fix)


@pitfall.watches("loss")
def softmax_in_the_graph(call: LossCall) -> Hits:
    if call.function == "cross_entropy" and call.input_made_by == "softmax":
        of = f"`{call.input_module}`" if call.input_module else "the model"
        given = f"`{call.input}`" if call.input else f"the output of {of}"
        says = f"{given} went through softmax before cross-entropy"
        yield call.hit(says, module=call.input_module)
