r"""A part that the constructor puts into eval mode goes back to training with the model.

`model.train()` switches all modules below it. What `__init__` has put into eval mode by `self.teacher.eval()` is in training mode
again before the first batch: the dropout of a teacher makes its targets noisy, the BatchNorm of a frozen backbone goes on to
follow the data, `requires_grad = False` or not. Where it is not known which layers the part has, `keng check --suspicious` tells
it.

Cure: override `train` in the module that holds the part, and put the part back there: `super().train(mode)`,
`self.teacher.eval()`, `return self`.

Bad:

```python
import torch
from torch import nn


class Distilled(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        self.teacher.eval()
        self.teacher.requires_grad_(False)
        self.student = nn.Linear(4, 2)

    def forward(self, x):
        return self.student(x), self.teacher(x)


model = Distilled()
optimizer = torch.optim.SGD(model.student.parameters(), lr=0.1)
model.train()  # here: the teacher, too
for x in torch.randn(3, 8, 4):
    scores, wanted = model(x)
    optimizer.zero_grad()
    nn.functional.mse_loss(scores, wanted).backward()
    optimizer.step()
```

Proof:

```python
assert model.teacher.training
assert not torch.equal(model.teacher(x), model.teacher(x))
```

Bad (the statistics of a frozen backbone follow the data):

```python
import torch
from torch import nn


def backbone():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())


class Classifier(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body.eval()
        for parameter in self.body.parameters():
            parameter.requires_grad = False
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x).mean((2, 3)))


def train_one_epoch(net, optimizer, batches):
    net.train()  # here: its body, too
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


plain, net = nn.Sequential(nn.Flatten(), nn.Linear(192, 2)), Classifier(backbone())
before = net.body[1].running_mean.clone()
batches = [(torch.randn(4, 3, 8, 8), torch.randint(2, (4,))) for _ in range(2)]
train_one_epoch(plain, torch.optim.SGD(plain.parameters(), lr=0.1), batches)
train_one_epoch(net, torch.optim.SGD(net.head.parameters(), lr=0.1), batches)
```

Proof:

```python
assert not torch.equal(net.body[1].running_mean, before)
```

Good:

```python
import torch
from torch import nn


class Distilled(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        self.teacher.requires_grad_(False)
        self.student = nn.Linear(4, 2)

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, x):
        return self.student(x), self.teacher(x)


model = Distilled()
optimizer = torch.optim.SGD(model.student.parameters(), lr=0.1)
model.train()
for x in torch.randn(3, 8, 4):
    scores, wanted = model(x)
    optimizer.zero_grad()
    nn.functional.mse_loss(scores, wanted).backward()
    optimizer.step()
```

Fine (put back in each forward, or by the loop; a part that heeds no mode; one that is no submodule; a model that is never switched back):

```python
import torch
from torch import nn


def frozen():
    return nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)).requires_grad_(False)


class ByForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.guide, self.out = frozen(), nn.Linear(4, 2)
        self.guide.eval()

    def forward(self, x):
        self.guide.eval()
        return self.out(self.guide(x))


class ByLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.out = frozen(), nn.Linear(4, 2)
        self.encoder.eval()

    def forward(self, x):
        return self.out(self.encoder(x))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.out = nn.Linear(4, 4).requires_grad_(False), nn.Linear(4, 2)
        self.first.eval()

    def forward(self, x):
        return self.out(self.first(x).relu())


class Beside(nn.Module):
    def __init__(self, judge):
        super().__init__()
        self.out, self.judge = nn.Linear(4, 4), [judge.eval()]

    def forward(self, x):
        return self.judge[0](self.out(x))


class Evaluated(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.out = frozen(), nn.Linear(4, 2)
        self.body.eval()

    def forward(self, x):
        return self.out(self.body(x))


def fit(model):
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for x in torch.randn(2, 8, 4):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


by_forward, by_loop, plain, beside = ByForward(), ByLoop(), Plain(), Beside(frozen())
by_forward.train()
fit(by_forward)
by_loop.train()
by_loop.encoder.eval()
fit(by_loop)
plain.train()
fit(plain)
fit(beside.train())
with torch.no_grad():
    print(Evaluated().eval()(torch.randn(2, 4)))
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def part_switched_with_model(code: Code) -> Hits:
    for train, owner, part, layers in code.evals_undone():
        name = code.text_of(code.receiver(train))
        says = f"`{name}.train()` puts `{part}` back into training mode; `{owner}` wants it in eval mode"
        heed = ", ".join(f"`{layer}`" for layer in sorted(layers or ()))
        yield code.hit(train, f"{says}: {heed}" if heed else says, sure=bool(layers))
