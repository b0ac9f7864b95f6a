r"""A target requires a gradient.

A loss compares an output with a target that stands still. Where the target comes from a network too, a
teacher, a bootstrapped value, a reconstruction, it brings a graph of its own. Most losses of today go
back into it without a word: both sides are pulled towards each other. Some have no derivative for their
target and raise an error, as losses once did in general. So does an output that is given as the target:
`cross_entropy(labels, output)` with soft labels is a number, and another one.

Cure: `target.detach()`, or compute the target under `torch.no_grad()`.

Bad:

```python
import torch
import torch.nn.functional as F
from torch import nn

student, teacher = nn.Linear(8, 1), nn.Linear(8, 1)
x = torch.randn(16, 8)
target = teacher(x).tanh()
loss = F.soft_margin_loss(student(x), target)  # seen: the teacher's graph comes with the target
loss.backward()
```

Bad (a target network that was not frozen):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net, target_net = nn.Linear(8, 4), nn.Linear(8, 4)
target_net.eval()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    wanted = target_net(torch.randn(16, 8))
    loss = F.mse_loss(net(torch.randn(16, 8)), wanted)  # seen: `wanted` comes from `target_net`
    loss.backward()
    optimizer.step()
```

Bad (the value of the next state, of the network in training):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(q.parameters())
for step in range(3):
    state, after, reward = torch.randn(8, 4), torch.randn(8, 4), torch.randn(8)
    action = torch.randint(2, (8, 1))
    goal = reward + 0.9 * q(after).max(1).values
    loss = F.mse_loss(q(state).gather(1, action).squeeze(1), goal)  # seen: `goal` is made of
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Bad (output and soft labels have changed places):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 4)
labels = F.one_hot(torch.randint(4, (16,)), 4).float()
loss = F.cross_entropy(labels, model(torch.randn(16, 8)))  # seen: they have changed places
loss.backward()
```

Bad (labels first, and a loss that takes them without an error):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model, criterion = nn.Linear(8, 1), nn.BCEWithLogitsLoss()
data = TensorDataset(torch.randn(32, 8), torch.randint(2, (32, 1)).float())
for x, y in DataLoader(data, batch_size=8):
    loss = criterion(y, model(x))  # here: they have changed places
    loss.backward()
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

student, teacher = nn.Linear(8, 1), nn.Linear(8, 1)
x = torch.randn(16, 8)
with torch.no_grad():
    target = teacher(x).tanh()
loss = F.soft_margin_loss(student(x), target)
loss.backward()
```

Fine (two networks that learn from each other; one network for both sides; a goal that is data, or has no graph):

```python
import torch
import torch.nn.functional as F
from torch import nn

one, other = nn.Linear(8, 4), nn.Linear(8, 4)
x = torch.randn(16, 8)
F.mse_loss(one(x), other(x)).backward()
F.mse_loss(one(x), one(x + 0.1)).backward()
F.mse_loss(one(x), torch.randn(16, 4)).backward()
other.eval()
F.mse_loss(one(x), other(x).detach()).backward()
with torch.no_grad():
    goal = 1 + 0.9 * one(x + 0.1).max(1).values
F.mse_loss(one(x).max(1).values, goal).backward()
F.mse_loss(one(x)[:, 0], 1 + 0.9 * one(x + 0.1)[:, 0]).backward()
F.mse_loss(one(x).max(1).values, one(x + 0.1).max(1).values).backward()
```

Fine (one that chooses labels for a classifier that stands still; errors that are the same both ways):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Chooser(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x):
        return F.gumbel_softmax(self.layer(x), hard=True)


torch.manual_seed(0)
chooser, model = Chooser(), nn.Linear(8, 4)
x = torch.randn(16, 8)
with torch.no_grad():
    scores = model(x)
F.cross_entropy(scores, chooser(x)).backward()
F.mse_loss(torch.randn(16, 4), model(x)).backward()
```

Fine (in their places; by name; an error that is the same both ways; what is no label):

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(8, 1)
data = TensorDataset(torch.randn(32, 8), torch.randint(2, (32, 1)).float())
loader = DataLoader(data, batch_size=8)
for i, (x, y) in enumerate(loader):
    F.binary_cross_entropy_with_logits(model(x), y).backward()
    F.binary_cross_entropy_with_logits(target=y, input=model(x)).backward()
    F.mse_loss(y, model(x)).backward()
for i, batch in enumerate(loader):
    x, y = batch
    output = model(x)
    F.binary_cross_entropy_with_logits(output, y).backward()
    with torch.no_grad():
        told = torch.sigmoid(model(x))
    F.binary_cross_entropy_with_logits(model(x), told).backward()
```

Message (torch 0.1 to 0.3, of a loss whose arguments have changed places; `loss(output, target)`):

```text
  File "/code/gan/train.py", line 81, in step
    loss = self.criterion(label, output)
  File "/env/lib/python3.6/site-packages/torch/nn/modules/module.py", line 357, in __call__
    result = self.forward(*input, **kwargs)
  File "/env/lib/python3.6/site-packages/torch/nn/modules/loss.py", line 371, in forward
    _assert_no_grad(target)
  File "/env/lib/python3.6/site-packages/torch/nn/modules/loss.py", line 11, in _assert_no_grad
    "nn criterions don't compute the gradient w.r.t. targets - please " \
AssertionError: nn criterions don't compute the gradient w.r.t. targets - please mark these variables as volatile or not requiring gradients
```

Message (an old torch; `or the model's output comes first`):

```text
AssertionError: nn criterions don't compute the gradient w.r.t. targets - please mark these tensors as not requiring gradients
```

Message (torch 1.x):

```text
RuntimeError: the derivative for 'target' is not implemented
```
"""

from keng.explain.advice.losses import learnt_through
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LossCall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

ONE_SIDED = ("cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits")
COMPARING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


@pitfall.explains(
    r"nn criterions don't compute the gradient w\.r\.t\. targets",
    r"the derivative for '(?P<what>target|weight|pos_weight)' is not implemented",
    r"The function '(?P<loss>\w+)' is not differentiable with respect to argument '(?P<what>target)'",
    odds=0.95,
)
def graph_of_the_target(failure: Failure) -> Hits:
    what = failure.groups.get("what") or "target"
    name = failure.lost_as(1, "") if what == "target" else f"`{what}`"
    yield failure.hit(learnt_through(name, "the target"))


@pitfall.finds
def labels_first(code: Code) -> Hits:
    for call, output, model in code.losses_turned_round():
        says = (
            f"`{code.text_of(output)}` is the output of `{code.text_of(model)}`, and a label of the"
        )
        yield code.hit(call, f"{says} batch stands first: they have changed places")


@pitfall.watches("loss")
def gradient_for_the_target(loss: LossCall) -> Hits:
    # Two networks in training may be meant to learn from each other.
    if not loss.target_module or loss.target_is_trained or _swapped(loss):
        return
    name = loss.target or "the target"
    says = (
        f"`{name}` comes from `{loss.target_module}` with its graph: gradient flows into that too"
    )
    yield loss.hit(f"{says}; detach() cuts it")


@pitfall.watches("loss")
def changed_places(loss: LossCall) -> Hits:
    if _swapped(loss):
        name = f"`{loss.target}`" if loss.target else "the second argument"
        says = f"{name} is the output of `{loss.target_module}`, and nothing learns in the first"
        yield loss.hit(f"{says} argument: they have changed places")


def _swapped(loss: LossCall) -> bool:
    return loss.function in ONE_SIDED and loss.changed_places


@pitfall.watches("loss")
def moves_its_own_goal(loss: LossCall) -> Hits:
    if loss.function in COMPARING and loss.own_goal:
        says = f"`{loss.target or 'the target'}` is made of what `{loss.own_goal}` predicts"
        yield loss.hit(f"{says}, with its graph: the goal is moved as well; no_grad() or detach()")
