r"""Validation records a graph that nobody will use.

Outside `torch.no_grad()` every forward keeps its activations for a backward. In validation none
comes: memory and time are spent for nothing, and the larger validation batches may run out of memory
where training did not. `model.eval()` switches layers, not autograd.

Cure: run the evaluation under `torch.no_grad()` or `torch.inference_mode()`.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=8)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.drop = nn.Linear(8, 3), nn.Dropout(0.1)

    def forward(self, x):
        return self.fc(self.drop(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    correct = 0
    for x, y in val_loader:
        correct += (net(x).argmax(1) == y).sum().item()  # here: the graph is built and dropped
```

Bad (a model that several cards train):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=8)
net = nn.DataParallel(nn.Sequential(nn.Dropout(0.1), nn.Linear(8, 3)))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    correct = 0
    for x, y in val_loader:
        correct += (net(x).argmax(1) == y).sum().item()  # here: the graph is built and dropped
```

Bad (in a function):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def evaluate(model, loader):
    '''Accuracy on a loader,
    as a share.'''
    correct = 0
    for x, y in loader:
        output = model(x)  # here: the graph is built and dropped
        correct += (output.argmax(1) == y).sum().item()
    return correct / len(loader.dataset)


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    train(net, DataLoader(data, batch_size=16), optimizer)
    evaluate(net, DataLoader(data, batch_size=8))
```

Bad (without a loader):

```python
from torch import nn, optim, randn, randperm

x, y = randn(64, 8), randn(64, 1)
train, val = randperm(64).split(32)
net = nn.Linear(8, 1)
optimizer = optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x[train]), y[train]).backward()
    optimizer.step()
    net.eval()
    total = 0.0
    for part in val.split(8):
        total += (net(x[part]) - y[part]).abs().sum().item()  # seen: four graphs an epoch
```

Bad (where `torch` is not a name that the fix could use):

```python
from torch import nn, optim, randn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(randn(64, 8), randn(64, 1))
net = nn.Sequential(nn.Linear(8, 1))
optimizer = optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=16):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
net.eval()
for x, y in DataLoader(data, batch_size=8):
    off = (net(x) - y).abs().max().item()  # here: eight graphs
```

Bad (all test data at once, behind the training):

```python
import torch
from torch import nn

x_train, y_train, x_test = torch.randn(64, 8), torch.randn(64, 1), torch.randn(32, 8)
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x_train), y_train).backward()
    optimizer.step()
net.eval()
guess = net(x_test)  # here: its activations are kept as long as the guess is
```

Proof:

```python
assert guess.grad_fn is not None
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def evaluate(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
    return correct / len(loader.dataset)


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    train(net, DataLoader(data, batch_size=16), optimizer)
    evaluate(net, DataLoader(data, batch_size=8))
```

Fine (one function for both, a gradient wanted in evaluation, batch norm kept in eval mode to train):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.fc = nn.BatchNorm1d(8), nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(self.norm(x))


def run(model, loader, optimizer, train):
    model.train(train)
    with torch.set_grad_enabled(train):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            if train:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


def evaluate_attacked(model, loader):
    model.eval()
    for x, y in loader:
        x.requires_grad_(True)
        loss = nn.functional.cross_entropy(model(x), y)
        attack = torch.autograd.grad(loss, x)[0].sign()
    return attack


def tune(model, loader, optimizer):
    model.eval()
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y))
    optimizer.zero_grad()
    torch.stack(losses).mean().backward()
    optimizer.step()


def whole_loss(model, loader):
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y))
    return torch.stack(losses).mean()


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader = DataLoader(data, batch_size=16)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
run(net, loader, optimizer, train=True)
run(net, loader, optimizer, train=False)
evaluate_attacked(net, loader)
tune(net, loader, optimizer)
for step in range(2):
    net.train()
    optimizer.zero_grad()
    whole_loss(net, loader).backward()
    optimizer.step()
net.eval()
print(net(torch.randn(4, 8)).shape)
```

Fine (samples of a generator that is still in training):

```python
import torch
from torch import nn

generator, critic = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD(generator.parameters(), lr=0.01)
noise, samples = torch.randn(16, 4), []
for step in range(4):
    optimizer.zero_grad()
    (-critic(generator(torch.randn(16, 4)))).mean().backward()
    optimizer.step()
    if step % 2:
        for part in noise.split(4):
            samples.append(generator(part).detach())
```

Fine (the model itself records nothing):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader


class Ensemble(nn.Module):
    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    @torch.no_grad()
    def forward(self, x):
        return torch.stack([member(x) for member in self.members]).mean(0)


def predict(model, loader):
    return torch.cat([model(x) for x in loader])


def evaluate(model, loader):
    total = 0.0
    for x in loader:
        total += model(x).sum().item()
    return total


member = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2))
optimizer = torch.optim.SGD(member.parameters(), lr=0.1)
loader = DataLoader(torch.randn(16, 4), batch_size=8)
for x in loader:
    optimizer.zero_grad()
    member(x).square().mean().backward()
    optimizer.step()
both = Ensemble([member]).eval()
total = evaluate(both, loader) + predict(both, loader).sum().item()
```

Message (torch 1.0, where the training fits; `validate`):

```text
Traceback (most recent call last):
  File "train.py", line 349, in <module>
    main()
  File "train.py", line 127, in main
    criterion=criterion)
  File "train.py", line 282, in validate
    scores_copy = scores.clone()
RuntimeError: CUDA error: out of memory
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.run.moments import Evaluation
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="warning")

EVALUATES = re.compile(
    r"(?:run_|do_)?(?:validate|validation|evaluate?|evaluation|test)"
    r"(?:_(?:epoch|one_epoch|model|loop|net|all|dataset))?$|(?:epoch|model|run|do)_(?:val|valid|eval|test)$|val(?:_epoch|_model)?$"
)
"""What functions are called that evaluate a model. The steps of Lightning are under no_grad by themselves."""
UNDER_NO_GRAD = ("torch/utils/_contextlib.py", "torch/autograd/grad_mode.py")


@pitfall.finds(fixes=True)
def graph_built_for_nothing(code: Code) -> Hits:
    for seen in code.evaluations:
        if seen.grad is not Grad.ON or not (seen.mode == "eval" or seen.named):
            continue
        no_grad = code.spell("torch.no_grad", seen.loop.node)
        edits = code.wrap(seen.loop.node, f"with {no_grad}():") or ()
        fix = Fix("Evaluate without recording gradients", edits) if no_grad else None
        name = code.text_of(seen.model)
        yield code.hit(seen.forward, f"`{name}` records a graph that no backward will use", fix=fix)


@pitfall.finds(fixes=True)
def graph_of_all_test_data(code: Code) -> Hits:
    for call in code.tested_at_once():
        if code.grad_at(call) is not Grad.ON or code.result_unused(call):
            continue
        no_grad, statement = code.spell("torch.no_grad", call), code.statement(call)
        edits = code.wrap(statement, f"with {no_grad}():") or ()
        fix = Fix("Evaluate without recording gradients", edits) if no_grad else None
        says = f"`{code.text_of(call.func)}` records a graph that no backward will use"
        yield code.hit(call, says, fix=fix)


@pitfall.watches("evaluation")
def graphs_that_no_backward_used(seen: Evaluation) -> Hits:
    if seen.training and not (seen.whole and seen.trained):
        return
    if seen.records and seen.forwards >= 2:
        says = f"`{seen.module}` recorded {seen.forwards} graphs that no backward has used"
        yield seen.hit(says, batches=seen.forwards)


@pitfall.explains(r"(?:CUDA|HIP|XPU|MPS|cuda runtime)\b[\w ():]{0,24} ?out of memory", odds=0.93)
def memory_ran_out_in_it(failure: Failure) -> Hits:
    own = [f for f in failure.frames if f.user]
    where = next((f.function for f in reversed(own) if EVALUATES.match(f.function)), "")
    backward = any("backward(" in f.text for f in own)
    if where and not backward and not failure.passed_through(*UNDER_NO_GRAD):
        yield failure.hit(
            f"the memory ran out in `{where}`: under torch.no_grad() it keeps no graphs; where it is, a smaller batch"
        )
