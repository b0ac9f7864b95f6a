r"""The model is evaluated in training mode.

In training mode dropout keeps dropping, and batch norm normalizes by the batch at hand and updates
its running statistics from it: validation figures are noisy and depend on the batch size, and the
validation data leak into the model.

Cure: `model.eval()` before the evaluation, `model.train()` after it.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
criterion = nn.CrossEntropyLoss()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.drop, self.out = nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 3)

    def forward(self, x):
        return self.out(self.drop(self.fc(x).relu()))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(net(x), y).backward()
        optimizer.step()
    correct = 0
    with torch.no_grad():
        for x, y in val_loader:
            correct += (net(x).argmax(1) == y).sum().item()  # here: dropout is on
```

Bad (in a function):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(x))


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def validate(model, loader):
    correct = 0
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()  # here: batch norm still learns
    return correct


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    train(model, train_loader, optimizer)
    validate(model, val_loader)
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.drop, self.out = nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 3)

    def forward(self, x):
        return self.out(self.drop(self.fc(x).relu()))


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    correct = 0
    net.eval()
    with torch.no_grad():
        for x, y in val_loader:
            correct += (net(x).argmax(1) == y).sum().item()
```

Fine (nothing in the model acts by mode; eval() is called by the caller; statistics are re-estimated):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc(x)


class Net(Plain):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x):
        return self.fc(self.norm(x))


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def validate(model, loader):
    return sum((model(x).argmax(1) == y).sum().item() for x, y in loader)


@torch.no_grad()
def test(plain, loader):
    correct = 0
    for x, y in loader:
        correct += (plain(x).argmax(1) == y).sum().item()
    return correct


@torch.no_grad()
def reestimate(model, loader):
    model.train()
    for x, _ in loader:
        model(x)


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
plain, net = Plain(), Net()
train(plain, loader, torch.optim.SGD(plain.parameters(), lr=0.1))
test(plain, val_loader)
train(net, loader, torch.optim.SGD(net.parameters(), lr=0.1))
reestimate(net, loader)
net.eval()
validate(net, val_loader)
```
"""

from keng.model import Hits, Pitfall
from keng.moments import Evaluation
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def evaluated_in_training_mode(code: Code) -> Hits:
    for seen in code.evaluations:
        if seen.mode not in ("", "train") or not (seen.named or seen.grad is Grad.OFF):
            continue
        if code.result_unused(seen.forward) or (
            seen.mode == "train" and code.trains_on_purpose(seen)
        ):
            continue
        layers = code.mode_layers(seen.model)
        if layers is not None and not layers:
            continue
        name = code.text_of(seen.model)
        says = f"`{name}` is evaluated without `{name}.eval()`"
        yield code.hit(
            seen.forward, says, sure=bool(layers), layers=", ".join(sorted(layers or ()))
        )


@pitfall.watches("evaluation")
def run_in_training_mode(seen: Evaluation) -> Hits:
    if not (seen.training and seen.trained and seen.fresh and seen.used) or (
        seen.forwards < 2 and seen.whole
    ):
        return
    if seen.records and not seen.whole:
        return
    if layers := seen.mode_layers:
        first = ", ".join(f"`{layer}`" for layer in layers[:3])
        more = f" and {len(layers) - 3} more" if len(layers) > 3 else ""
        says = f"`{seen.module}` is evaluated in training mode, which changes what {first}{more} do"
        yield seen.hit(says, batches=seen.forwards, layers=", ".join(layers))
