r"""Predictions and targets of different shapes are broadcast in the loss.

A model gives `(N, 1)`, the targets are `(N,)`: `mse_loss`, `l1_loss` and `smooth_l1_loss` compare every
prediction with every target, N * N pairs, and their mean is taken. The model then learns to predict the mean of the
targets; training seems to run. PyTorch only warns, and Python shows a warning once for each line.

Cure: one shape for both: `prediction.squeeze(1)` or `target.unsqueeze(1)`, and never a bare `squeeze()`, which
takes the batch away too when it is of one.

Bad:

```python
import torch
import torch.nn.functional as F

prediction = torch.tensor([[1.0], [2.0], [3.0]])
target = torch.tensor([1.0, 2.0, 3.0])
loss = F.mse_loss(prediction, target)  # seen: (3, 1) and (3,)
```

Proof:

```python
assert loss > 1
assert F.mse_loss(prediction.squeeze(1), target) == 0
```

Bad (where warnings are errors):

```python
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("error")
prediction, target = torch.zeros(4, 1), torch.zeros(4)
loss = F.l1_loss(prediction, target)  # seen: (4, 1) and (4,)
```

Bad (a loss by hand, of which nothing warns):

```python
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = (model(x) - y).square().mean()  # seen: (16, 1) and (16,)
    loss.backward()
    optimizer.step()
```

Bad (in a function of its own, given to another):

```python
import torch
from torch import nn


def log_cosh(prediction, target):
    off = prediction - target  # seen: the output (8, 1) of `model`
    return (off + nn.functional.softplus(-2 * off) - 0.6931).mean()


def stepper(model, loss_of):
    def step(x, y):
        loss = loss_of(model(x), y)
        loss.backward()

    return step


step = stepper(nn.Linear(4, 1), log_cosh)
step(torch.randn(8, 4), torch.randn(8))
```

Bad (the second of two outputs):

```python
import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.policy, self.value = nn.Linear(4, 2), nn.Linear(4, 1)

    def forward(self, x):
        return self.policy(x), self.value(x)


torch.manual_seed(0)
agent = ActorCritic()
optimizer = torch.optim.SGD(agent.parameters(), lr=0.1)
for step in range(3):
    logits, value = agent(torch.randn(16, 4))
    advantage = torch.randn(16) - value  # seen: `agent.value` gives (16, 1)
    loss = advantage.square().mean() - (logits.log_softmax(1)[:, 0] * advantage.detach()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Bad (the values of the actions taken):

```python
import torch
from torch import nn

torch.manual_seed(0)
q, target = nn.Linear(4, 3), nn.Linear(4, 3)
optimizer = torch.optim.SGD(q.parameters(), lr=0.1)
for step in range(3):
    state, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16)
    action = torch.randint(3, (16, 1))
    with torch.no_grad():
        goal = reward + 0.9 * target(after).max(1).values
    off = goal - q(state).gather(1, action)  # seen: (16, 1) and (16,)
    optimizer.zero_grad()
    off.square().mean().backward()
    optimizer.step()
```

Good:

```python
import torch
import torch.nn.functional as F

prediction = torch.tensor([[1.0], [2.0], [3.0]])
target = torch.tensor([1.0, 2.0, 3.0])
loss = F.mse_loss(prediction.squeeze(1), target)
```

Fine (a model with two outputs; every pair on purpose; quantiles; actions):

```python
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16)
model, quantiles = nn.Linear(4, 1), nn.Linear(4, 3)
scores, taken = model(x), torch.randint(3, (16, 1))
loss = (scores.squeeze(1) - y).square().mean()
loss = loss + (scores - scores.t()).relu().mean()
loss = loss + (model(x) - y.unsqueeze(1)).square().mean()
loss = loss + (quantiles(x) - y.unsqueeze(1)).abs().mean()
differences = model(x).squeeze(1).unsqueeze(1) - y.unsqueeze(0)
loss = loss + differences.square().mean()
loss = loss + (quantiles(x).gather(1, taken).squeeze(1) - y).square().mean()
loss = loss + (quantiles(x).max(1, keepdim=True).values - y.unsqueeze(1)).square().mean()
loss.backward()
```

Message (torch 1.13 to 2.13):

```text
/home/u/train.py:31: UserWarning: Using a target size (torch.Size([4])) that is different to the input size (torch.Size([4, 1])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
  loss = F.mse_loss(prediction, target)
```

Message (torch 1.13 to 2.13, of a decoder; `maps of 129 x 201 and 128 x 201`):

```text
UserWarning: Using a target size (torch.Size([16, 1, 128, 201])) that is different to the input size (torch.Size([16, 1, 129, 201])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
```

Message (torch 2.13, of maps with and without their channel; `input.view_as(target)`):

```text
UserWarning: Using a target size (torch.Size([32, 64, 64])) that is different to the input size (torch.Size([32, 1, 64, 64])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
```

Message (torch 2.13, of scores of classes; `nn.CrossEntropyLoss`):

```text
UserWarning: Using a target size (torch.Size([32])) that is different to the input size (torch.Size([32, 10])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
```

Message (torch 2.13, of one output for each; `a last layer of 3`):

```text
UserWarning: Using a target size (torch.Size([32, 3])) that is different to the input size (torch.Size([32])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
```

Message (torch 2.13, of a batch that was lost; `one target for a batch of 4`):

```text
UserWarning: Using a target size (torch.Size([1, 17, 64, 48])) that is different to the input size (torch.Size([4, 17, 64, 48])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
```

Message (torch 2.13, of shapes that tell nothing; `give both one shape`):

```text
UserWarning: Using a target size (torch.Size([5, 1, 3])) that is different to the input size (torch.Size([2, 3])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
```

Message (torch 2.13.0, as printed without its line):

```text
UserWarning: Using a target size (torch.Size([8, 1])) that is different to the input size (torch.Size([8])). This will likely lead to incorrect results due to broadcasting.
```
"""

from keng.explain.advice.inputs import counted_otherwise
from keng.explain.advice.samples import brought_to_one_shape
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LossCall, LossGraph

pitfall = Pitfall(__name__, __doc__, severity="error")

COMPARING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


@pitfall.explains(
    r"Using a target size \(torch\.Size\(\[(?P<target>[\d, ]*)\]\)\) that is different to the input size "
    r"\(torch\.Size\(\[(?P<input>[\d, ]*)\]\)\)\. This will likely lead to incorrect results",
    odds=0.95,
)
def every_pair_compared(failure: Failure) -> Hits:
    target, given = (failure.groups[name] for name in ("target", "input"))
    names = failure.lost_as(0, "`input`"), failure.lost_as(1, "`target`")
    cure = "give both one shape"
    if given == f"{target}, 1":
        cure = f"each meets all of the other: {names[0].strip('`')}.squeeze({given.count(',')})"
    elif target == f"{given}, 1":
        cure = f"each meets all of the other: {names[1].strip('`')}.squeeze({target.count(',')})"
    else:
        shapes = [[int(size) for size in each.split(", ") if size] for each in (target, given)]
        plain = [name.strip("`") for name in names]
        cure = (
            counted_otherwise(*shapes) or brought_to_one_shape(shapes[1], shapes[0], plain) or cure
        )
    yield failure.hit(f"{names[0]} is [{given}] and {names[1]} is [{target}]: {cure}")


@pitfall.watches("loss")
def expanded_against_each_other(loss: LossCall) -> Hits:
    given, target = loss.input_shape, loss.target_shape
    if loss.function not in COMPARING or loss.failed or not loss.pairs:
        return
    says = (
        f"`{loss.input or 'the input'}` is {given} and `{loss.target or 'the target'}` is {target}"
    )
    yield loss.hit(f"{says}: every prediction is compared with every target")


@pitfall.watches("loss.graph")
def subtracted_from_each_other(graph: LossGraph) -> Hits:
    for pair in graph.pairings:
        says = f"the output {pair.output} of `{pair.module}` and a target make {pair.result}"
        yield graph.hit(f"{says}: every prediction is compared with every target", where=pair.where)
