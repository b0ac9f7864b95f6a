r"""After an evaluation the model goes on training in eval mode.

`model.eval()` holds until `model.train()` is called. Where only the evaluation switches modes, the
first epoch trains as meant and all later ones without dropout and with frozen batch statistics: the
model overfits or stops to learn, and the first epoch looks best.

Cure: `model.train()` at the start of each epoch, and after an evaluation within one.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

data = list(torch.randn(16, 4))
train_loader, test_loader = DataLoader(data, batch_size=8), DataLoader(data, batch_size=8)
model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
modes = []
for epoch in range(3):
    for x in train_loader:
        optimizer.zero_grad()
        loss = model(x).square().mean()  # here: in eval mode from the second epoch on
        loss.backward()
        optimizer.step()
        modes.append(model.training)
    model.eval()
    with torch.no_grad():
        total = sum(model(x).square().mean().item() for x in test_loader)
```

Proof:

```python
assert modes[0] and not modes[-1]
```

Bad (the loss is a module as well, and always in training mode):

```python
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.randn(64, 1)
model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()


def validate():
    model.eval()
    with torch.no_grad():
        return criterion(model(x), y).item()


for epoch in range(3):
    for part in torch.randperm(64).split(16):
        optimizer.zero_grad()
        criterion(model(x[part]), y[part]).backward()  # here: in eval mode from the second epoch on
        optimizer.step()
    print(validate())
```

Proof:

```python
assert not model.training
```

Bad (evaluated first, in each round):

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
test = torch.randn(16, 4)


@torch.no_grad()
def estimate_loss():
    model.eval()
    return model(test).square().mean().item()


for step in range(6):
    if step % 2 == 0:
        print(estimate_loss())
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()  # here: the estimate left it in eval mode
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert not model.training
```

Bad (switched once, before the epochs):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader


def train_one_epoch(loader, net, optimizer):
    for x in loader:
        optimizer.zero_grad()
        loss = net(x).square().mean()  # here: in eval mode from the second epoch on
        loss.backward()
        optimizer.step()


@torch.no_grad()
def check_accuracy(loader, net):
    net.eval()
    return sum(net(x).square().mean().item() for x in loader)


def main():
    loader = DataLoader(list(torch.randn(16, 4)), batch_size=8)
    model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(3):
        train_one_epoch(loader, model, optimizer)
        print(check_accuracy(loader, model))
    return model


model = main()
```

Proof:

```python
assert not model.training
```

Bad (methods of one object):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader


def layer(width, out):
    return nn.Sequential(nn.Linear(width, out), nn.Dropout(0.5))


class Runner:
    def __init__(self):
        data = list(torch.randn(16, 4))
        self.train_loader, self.test_loader = DataLoader(data, 8), DataLoader(data, 8)
        self.model = nn.Sequential(layer(4, 4), nn.Linear(4, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train_epoch(self):
        for x in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.model(x).square().mean()  # here: in eval mode from the second epoch on
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        return sum(self.model(x).square().mean().item() for x in self.test_loader)

    def run(self, epochs):
        for epoch in range(epochs):
            self.train_epoch()
            print(self.validate())


runner = Runner()
runner.run(3)
```

Proof:

```python
assert not runner.model.training
```

Bad (an agent that acts in eval mode, and learns):

```python
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 2))
        self.slow = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def act(self, state):
        self.net.eval()
        with torch.no_grad():
            return self.net(state).argmax().item()

    def step(self, states):
        with torch.no_grad():
            wanted = self.slow(states)
        loss = (self.net(states) - wanted).square().mean()  # here: since the first act
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent()
for turn in range(4):
    agent.act(torch.randn(4))
    agent.step(torch.randn(8, 4))
```

Proof:

```python
assert not agent.net.training
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

data = list(torch.randn(16, 4))
train_loader, test_loader = DataLoader(data, batch_size=8), DataLoader(data, batch_size=8)
model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    for x in train_loader:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        total = sum(model(x).square().mean().item() for x in test_loader)
```

Fine (switched back at the end, in the function that trains, or to what it was):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

data = list(torch.randn(16, 4))
loader = DataLoader(data, batch_size=8)
model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate(model):
    was = model.training
    model.eval()
    with torch.no_grad():
        total = sum(model(x).square().mean().item() for x in loader)
    model.train(was)
    return total


for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    evaluate(model)
for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    model.eval()
    model(data[0])
    model.train()
```

Fine (a model without layers that heed the mode; batch norm frozen on purpose; the end of training):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(list(torch.randn(16, 4)), batch_size=8)
plain = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD([*plain.parameters(), *model.parameters()], lr=0.1)
for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        plain(x).square().mean().backward()
        optimizer.step()
    plain.eval()
for epoch in range(2):
    model.eval()
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
model.eval()
```

Fine (what follows the mode is frozen from then on, and stays in eval mode):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(list(torch.randn(16, 4)), batch_size=8)
body = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.1))
model = nn.Sequential(body, nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train():
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


train()
model.eval()
body.requires_grad_(False)
train()
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import TrainedInEval
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def trained_in_eval_mode(code: Code) -> Hits:
    for loop in code.training_loops if not code.uses_framework() else ():
        for step in code.learned_from(loop):
            model, where = code.called_model(step), code.left_in_eval(step)
            layers = code.mode_layers(model) if model is not None and where else None
            if where is None or model is None or (layers is not None and not layers):
                continue
            name, line = code.text_of(model), code.line_of(where)
            says = f"`{name}` is in eval mode from the second round on: line {line} switches it"
            yield code.hit(step.call, f"{says}, and nothing switches it back", sure=bool(layers))
            break


@pitfall.watches("trained.in.eval")
def stepped_in_eval_mode(seen: TrainedInEval) -> Hits:
    if layers := seen.mode_layers:
        heed = shorten(", ".join(f"`{layer}`" for layer in layers), 80, placeholder=" ...")
        says = f"`{seen.module}` is trained in eval mode, and was in training mode before"
        yield seen.hit(f"{says}; layers that heed it: {heed}", layers=", ".join(layers))
