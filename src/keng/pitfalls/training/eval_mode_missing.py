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

Bad (a model that several cards train):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
criterion = nn.CrossEntropyLoss()
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 3))
net = nn.DataParallel(model)
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

Bad (a class that is given its model and loaders):

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


class Trainer:
    def __init__(self, model, train_loader, val_loader, device):
        self.model = model.to(device)
        self.train_loader, self.val_loader, self.device = train_loader, val_loader, device
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train_epoch(self):
        self.model.train()
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            self.criterion(self.model(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        correct = 0
        for x, y in self.val_loader:
            x, y = x.to(self.device), y.to(self.device)
            correct += (self.model(x).argmax(1) == y).sum().item()  # here: dropout is on
        return correct

    def fit(self, epochs):
        for _ in range(epochs):
            self.train_epoch()
            self.validate()


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
Trainer(Net(), DataLoader(data, batch_size=16), DataLoader(data, batch_size=32), "cpu").fit(2)
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

Bad (in one expression, with a criterion that is a module):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@torch.no_grad()
def validate(model, loader, criterion):
    return sum(criterion(model(x), y).item() for x, y in loader) / len(loader)  # seen: dropout


torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
criterion = nn.CrossEntropyLoss()
model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    validate(model, val_loader, criterion)
```

Bad (without a loader):

```python
import torch
from torch import nn

x, y = torch.randn(64, 8), torch.randn(64, 1)
net = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x[:48]), y[:48]).backward()
    optimizer.step()
    with torch.no_grad():
        loss = nn.functional.mse_loss(net(x[48:].clone()), y[48:])  # seen: dropout is on
```

Bad (all test data at once, behind the training):

```python
import torch
from torch import nn


class Forecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 8, num_layers=2, dropout=0.2, batch_first=True)
        self.fc = nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(self.lstm(x)[0][:, -1])


torch.manual_seed(0)
x_train, y_train, x_test = torch.randn(32, 5, 1), torch.randn(32, 1), torch.randn(16, 5, 1)
model = Forecast()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x_train), y_train).backward()
    optimizer.step()
with torch.no_grad():
    guess = model(x_test)  # here: the dropout of the LSTM is on
    again = model(x_test)  # here: so that no two are alike
```

Proof:

```python
assert not torch.equal(guess, again)
```

Bad (one graph for training and test):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.drop, self.two = nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 3)

    def forward(self, x, links):
        return self.two(links @ self.drop(torch.relu(self.one(links @ x))))


@torch.no_grad()
def share(model, x, links, y, held_out):
    guess = model(x, links).argmax(1)  # seen: `drop` is on
    return (guess[held_out] == y[held_out]).float().mean().item()


torch.manual_seed(0)
x, links, y = torch.randn(20, 4), torch.eye(20), torch.randint(3, (20,))
train, held_out = torch.arange(12), torch.arange(12, 20)
model = Net()
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(3):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x, links)[train], y[train]).backward()
    optimizer.step()
    shown = share(model, x, links, y, held_out)
```

Bad (loaded, and used as it was made):

```python
import torch
from torch import nn


def load(path):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
    net.load_state_dict(torch.load(path, map_location="cpu"))
    return net


torch.save(
    {"0.weight": torch.ones(8, 4), "0.bias": torch.zeros(8)}
    | {"2.weight": torch.ones(2, 8), "2.bias": torch.zeros(2)},
    "net.pt",
)
net = load("net.pt")


@torch.no_grad()
def answer(x):
    return net(x).softmax(-1)  # here: each answer is another


first, second = (net(torch.ones(6, 4)) for _ in range(2))  # here: as here
```

Proof:

```python
assert not torch.equal(first, second)
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

Fine (one layer, between which and none other nothing is dropped; test data that are learned from):

```python
import torch
from torch import nn

torch.manual_seed(0)
x_train, x_test = torch.randn(32, 5, 4), torch.randn(16, 5, 4)
single = nn.Sequential(nn.GRU(4, 8, num_layers=1))
optimizer = torch.optim.Adam(single.parameters())
for epoch in range(2):
    optimizer.zero_grad()
    single(x_train)[0].square().mean().backward()
    optimizer.step()
with torch.no_grad():
    outputs, _ = single(x_test)
adapted = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1))
optimizer = torch.optim.Adam(adapted.parameters())
for epoch in range(2):
    optimizer.zero_grad()
    adapted(x_train).square().mean().backward()
    optimizer.step()
entropy = adapted(x_test).softmax(-1).square().mean()
optimizer.zero_grad()
entropy.backward()
optimizer.step()
```

Fine (nothing in the model acts by mode; eval() is called by the caller; all data make one loss):

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


def whole_loss(model, loader):
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y))
    return torch.stack(losses).mean()


data = TensorDataset(torch.randn(64, 8), torch.randint(3, (64,)))
loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
plain, net = Plain(), Net()
train(plain, loader, torch.optim.SGD(plain.parameters(), lr=0.1))
test(plain, val_loader)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
train(net, loader, optimizer)
optimizer.zero_grad()
whole_loss(net, loader).backward()
optimizer.step()
net.eval()
validate(net, val_loader)
```

Fine (in training mode on purpose: a scale before training, statistics anew, the loss as training sees it, Monte Carlo dropout, samples):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.drop, self.fc = nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 1)

    def forward(self, x):
        return self.fc(self.drop(self.norm(x)))


@torch.no_grad()
def scale_first(model, loader):
    model.train()
    for x, _ in loader:
        model.fc.weight /= model(x).std()


@torch.no_grad()
def reestimate(model, loader):
    for x, _ in loader:
        model(x)


@torch.no_grad()
def loss_in_training(model, loader):
    model.train()
    return [(model(x) - y).square().mean().item() for x, y in loader]


@torch.no_grad()
def spread(model, loader):
    model.train()
    for x, _ in loader:
        spread = torch.stack([model(x) for _ in range(5)]).std(0)
    return spread


data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
train_loader, val_loader = DataLoader(data, batch_size=16), DataLoader(data, batch_size=32)
net, noise = Net(), torch.randn(16, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scale_first(net, val_loader)
for x, y in train_loader:
    optimizer.zero_grad()
    (net(x) - y).square().mean().backward()
    optimizer.step()
samples = [net(part).detach() for part in noise.split(4)]
reestimate(net, val_loader)
loss_in_training(net, train_loader)
spread(net, val_loader)


@torch.no_grad()
def act(policy, state):
    action = (policy(state) > 0).long()
    return action[:1]


@torch.no_grad()
def agreement(model, x, labels):
    votes = torch.stack([model(x) for _ in range(5)]).mean(0) > 0
    return (votes == labels).float().mean().item()


act(net, noise)
agreement(net, noise, noise[:, :1] > 0)
net.eval()
net.drop.train()
with torch.no_grad():
    for x, y in val_loader:
        guess = net(x)
```

Fine (loaded, and switched: at once, by a function; nothing acts by mode; trained elsewhere):

```python
import torch
from torch import nn


def made(weights):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
    net.load_state_dict(weights)
    return net


def plain(weights):
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    net.load_state_dict(weights)
    return net


weights = {"0.weight": torch.ones(8, 4), "0.bias": torch.zeros(8)}
weights |= {"2.weight": torch.ones(2, 8), "2.bias": torch.zeros(2)}
net = made(weights).eval()
with torch.no_grad():
    same = net(torch.ones(2, 4)) - plain(weights)(torch.ones(2, 4))
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import Evaluation
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def evaluated_in_training_mode(code: Code) -> Hits:
    for seen in code.evaluations:
        if seen.mode not in ("", "train") or not (seen.named or seen.grad is Grad.OFF):
            continue
        if code.result_unused(seen.forward) or code.trains_on_purpose(seen):
            continue
        name = code.text_of(seen.model)
        if layers := code.mode_layers(seen.model):
            says = f"`{name}` is evaluated without `{name}.eval()`"
            yield code.hit(seen.forward, says, layers=", ".join(sorted(layers)))


@pitfall.finds
def tested_in_training_mode(code: Code) -> Hits:
    for call in code.tested_at_once():
        layers, name = code.mode_layers(call.func), code.text_of(call.func)
        if layers and code.mode_at(call.func, call) in ("", "train"):
            says = f"`{name}` is evaluated without `{name}.eval()`"
            yield code.hit(call, says, layers=", ".join(sorted(layers)))


@pitfall.finds
def used_in_training_mode(code: Code) -> Hits:
    for call in code.used_as_made():
        name, layers = code.text_of(call.func), code.mode_layers(call.func) or ()
        says = f"`{name}` is in training mode, as it was made: nothing calls `{name}.eval()`"
        yield code.hit(call, says, layers=", ".join(sorted(layers)))


@pitfall.watches("evaluation")
def run_in_training_mode(seen: Evaluation) -> Hits:
    if seen.records and not seen.whole:
        return
    counts = seen.fresh or seen.scored
    if seen.training and seen.trained and counts and seen.used and seen.mode_layers:
        layers = ", ".join(f"`{layer}`" for layer in seen.mode_layers)
        heed = shorten(layers, 80, placeholder=" ...")
        says = f"`{seen.module}` is evaluated in training mode; layers that heed it: {heed}"
        yield seen.hit(says, batches=seen.forwards, layers=", ".join(seen.mode_layers))
