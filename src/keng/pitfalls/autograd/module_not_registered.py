r"""Layers or parameters stand where the module does not see them.

A module registers what is assigned to its attributes: modules and parameters. It does not look into
lists, tuples and dictionaries. Layers in those are not moved by `to`, not saved by `state_dict`, not
switched by `eval`, and an optimizer that is given `model.parameters()` never learns of them. A product
such as `nn.Parameter(...) * 0.1`, the copy that `.cuda()` makes or the view that `.t()` gives is no
Parameter any more either.

Cure: `nn.ModuleList` for lists, `nn.ModuleDict` for dictionaries, `nn.Sequential` for what runs in a
row; for parameters compute first and wrap last, `nn.Parameter(0.1 * values)`.

Bad (a list):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(3)]  # here: not registered

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


net = Net()
count = len(list(net.parameters()))
```

Proof:

```python
assert count == 0
```

Bad (listed under a name of its own first):

```python
import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, count):
        super().__init__()
        experts = []
        for _ in range(count):
            experts.append(nn.Linear(8, 8))
        self.experts = experts  # here: still a list

    def forward(self, x):
        return torch.stack([expert(x) for expert in self.experts]).mean(0)


net = Experts(3)
count = len(list(net.parameters()))
```

Proof:

```python
assert count == 0
```

Bad (Parameters, in a list and by name):

```python
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = [nn.Parameter(torch.ones(8)) for _ in range(2)]  # here: not registered
        self.shifts = {}  # here: not registered
        for task in ("a", "b"):
            self.shifts[task] = nn.Parameter(torch.zeros(8))

    def forward(self, x, task):
        for scale in self.scales:
            x = x * scale
        return x + self.shifts[task]


net = Scaled()
count = len(list(net.parameters()))
```

Proof:

```python
assert count == 0
```

Bad (filled step by step, and a dictionary):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []  # here: not registered
        for size in (8, 4):
            self.layers.append(nn.Linear(8, size))
        self.heads = {"a": nn.Linear(4, 1), "b": nn.Linear(4, 2)}  # here: not registered
        self.scales = {}  # here: not registered
        for task in self.heads:
            self.scales[task] = nn.Linear(8, 4)

    def forward(self, x, task):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.heads[task](self.scales[task](x))


net = Net()
count = len(list(net.parameters()))
```

Proof:

```python
assert count < 8
```

Bad (blocks of one's own):

```python
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [Block() for _ in range(depth)]  # here: not registered

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


net = Net(2)
count = len(list(net.parameters()))
```

Proof:

```python
assert count == 0
```

Bad (a parameter that is no longer one):

```python
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8)) * 0.02  # here: the product is no Parameter

    def forward(self, x):
        return x * self.weight


net = Scale()
count = len(list(net.parameters()))
```

Proof:

```python
assert count == 0
```

Bad (turned, and given a dimension; views are no Parameters either):

```python
import torch
from torch import nn


class Factors(nn.Module):
    def __init__(self, fields, k):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(1))
        self.factors = nn.Parameter(0.1 * torch.randn(k, fields)).t()  # here: a view
        self.scale = nn.Parameter(torch.ones(k)).unsqueeze(0)  # here: as well

    def forward(self, x):
        return self.bias + (x @ self.factors * self.scale).pow(2).sum(-1)


net = Factors(8, 3)
names = [name for name, _ in net.named_parameters()]
```

Proof:

```python
assert names == ["bias"]
```

Bad (by name, for each task):

```python
import torch
from torch import nn


class Tasks(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.heads = {name: nn.Linear(8, size) for name, size in sizes.items()}  # here: a dict

    def forward(self, x):
        return {name: head(x) for name, head in self.heads.items()}


net = Tasks({"kind": 3, "age": 1})
count = len(list(net.parameters()))
```

Proof:

```python
assert count == 0
```

Bad (a tensor that is no Parameter):

```python
import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.gamma = torch.zeros(1, requires_grad=True)  # here: no Parameter

    def forward(self, x):
        return x + self.gamma * self.body(x)


net = Residual()
names = [name for name, _ in net.named_parameters()]
```

Proof:

```python
assert "gamma" not in names
```

Bad (the second factor of an adapter):

```python
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(torch.randn(rank, base.in_features))
        self.up = torch.zeros(base.out_features, rank, requires_grad=True)  # here: no Parameter

    def forward(self, x):
        return self.base(x) + x @ self.down.t() @ self.up.t()


net = Adapted(nn.Linear(4, 2), rank=1)
names = [name for name, _ in net.named_parameters()]
```

Proof:

```python
assert "down" in names and "up" not in names
```

Bad (used by another method than forward):

```python
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(4, 2)
        self.log_std = torch.zeros(2, requires_grad=True)  # here: no Parameter

    def act(self, state):
        return torch.distributions.Normal(self.mean(state), self.log_std.exp())


policy = Policy()
names = [name for name, _ in policy.named_parameters()]
```

Proof:

```python
assert "log_std" not in names
```

Bad (a constant that stays where it was made):

```python
import torch
from torch import nn


class Normalized(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.4, 0.5, 0.6])  # here: does not move
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x - self.mean)


device = "cuda" if torch.cuda.is_available() else "meta"
net = Normalized().to(device)
```

Proof:

```python
assert net.mean.device != net.fc.weight.device
```

Bad (trained, and only what is registered moves):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(3)]  # here: not registered
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    net(torch.randn(16, 8)).mean().backward()
    optimizer.step()
```

Bad (trained, and one of its parts is a plain tensor):

```python
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.emit = nn.Linear(8, 4)
        self.transitions = torch.zeros(4, 4, requires_grad=True)  # here: no Parameter

    def forward(self, x):
        scores = self.emit(x)
        return (scores[0] + scores[1:].logsumexp(0) @ self.transitions).logsumexp(0)


torch.manual_seed(0)
net = Chain()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    net(torch.randn(16, 8)).backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.heads = nn.ModuleDict({"a": nn.Linear(8, 1), "b": nn.Linear(8, 2)})
        self.weight = nn.Parameter(torch.randn(8) * 0.02)
        self.shift = nn.Parameter(torch.zeros(8, 1).t())

    def forward(self, x, task):
        for layer in self.layers:
            x = torch.relu(layer(x)) * self.weight + self.shift
        return self.heads[task](x)


net = Net()
```

Fine (hidden on purpose, and given to the optimizer by hand):

```python
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, embedding):
        super().__init__()
        self.out, self.tied = nn.Linear(8, 8), [embedding]

    def forward(self, x):
        return self.out(x) @ self.tied[0].weight.T


embedding = nn.Embedding(5, 8)
decoder = Decoder(embedding)
optimizer = torch.optim.SGD([*embedding.parameters(), *decoder.parameters()], lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    decoder(embedding(torch.arange(5))).mean().backward()
    optimizer.step()
```

Fine (a tensor that is optimized by hand):

```python
import torch
from torch import nn


class Attack(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model.requires_grad_(False)
        self.delta = torch.zeros(8, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.delta], lr=0.1)

    def forward(self, x):
        return self.model(x + self.delta)


attack = Attack(nn.Linear(8, 1))
for step in range(4):
    attack.optimizer.zero_grad()
    attack(torch.ones(2, 8)).mean().backward()
    attack.optimizer.step()
```

Fine (wrapped later, registered one by one, without parameters, of parts that are registered already):

```python
import torch
from torch import nn


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = [nn.Linear(8, 8), nn.ReLU()]
        self.net += [nn.Linear(8, 1)]
        self.net = nn.Sequential(*self.net)


class ByName(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = []
        for n in range(2):
            block = nn.Linear(8, 8)
            self.add_module(f"block{n}", block)
            self.blocks.append(block)
        self.heads = [nn.Linear(8, 1), nn.Linear(8, 2)]
        for n, head in enumerate(self.heads):
            self.add_module(f"head{n}", head)


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.choices = [nn.ReLU(), nn.GELU(), nn.Identity()]
        self.a, self.b = nn.Linear(8, 8), nn.Linear(8, 8)
        self.order = [self.b, self.a]


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []
        for _ in range(2):
            self.layers.append(nn.Linear(8, 8))
        self.stack = nn.ModuleList(self.layers)


class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        layers, names = [], []
        for n in range(2):
            layers.append(nn.Linear(8, 8))
            names.append(f"layer{n}")
        self.stack, self.names = nn.Sequential(*layers), names
        self.layers = layers


class Ensemble:
    def __init__(self):
        self.models = [nn.Linear(8, 1) for _ in range(3)]


class Doubled(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [Doubled(), Ensemble()]


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = [nn.Linear(8, 1).requires_grad_(False)]


Wrapped(), ByName(), Activations(), Listed(), Stacked(), Ensemble(), Plain(), Teacher()
```
Fine (constants that move: buffers, by hand, with what they meet; numbers; made where they are used; never moved):

```python
import torch
from torch import nn


class Constants(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.4, 0.5, 0.6]))
        self.scale = torch.tensor([1.0, 2.0, 3.0])
        self.shift = torch.zeros(3)
        self.half = torch.tensor(0.5)
        self.sizes = torch.tensor([2, 3])
        self.steps = torch.arange(3)
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        x = (x - self.mean) * self.scale.to(x.device) + self.shift.type_as(x)
        return self.fc(x * self.half) + len(self.sizes) + self.steps[2]


class Here(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.4, 0.5, 0.6])
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x - self.mean)


device = "cuda" if torch.cuda.is_available() else "cpu"
y = Constants().to(device)(torch.ones(2, 3, device=device))
z = Here()(torch.ones(2, 3))
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import UnmovedParameters
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def layers_in_a_container(code: Code) -> Hits:
    for name, value in code.containers_of_layers():
        _, kept = code.container_for(name, value)
        says = f"the {kept} in `self.{name}` are not registered: not moved, saved or trained"
        yield code.hit(code.statement(value), says, fix=code.registered(name, value))


@pitfall.finds(fixes=True)
def computed_from_a_parameter(code: Code) -> Hits:
    for name, value in code.module_values():
        if code.computed_from_leaf(value) and code.parameters_within(value):
            says = f"`self.{name}` is computed from a Parameter and is none itself"
            yield code.hit(code.statement(value), says, fix=code.wrapped_last(value))


@pitfall.finds(fixes=True)
def plain_tensor_that_learns(code: Code) -> Hits:
    for name, value in code.leaves_on_self():
        spelled = code.spell("torch.nn.Parameter", value)
        wrapped = f"{spelled}({code.text_of(value)})"
        fix = Fix("Make it a Parameter", (code.replace(value, wrapped),)) if spelled else None
        says = f"`self.{name}` gathers gradients and is no Parameter: not moved, saved or trained"
        yield code.hit(code.statement(value), says, fix=fix)


@pitfall.finds
def constant_left_behind(code: Code) -> Hits:
    for name, value, use in code.tensors_left_behind():
        says = f"`self.{name}` stays on the CPU when the module moves, and meets its values on line"
        yield code.hit(code.statement(value), f"{says} {use.lineno}: register_buffer")


@pitfall.watches("parameters.unmoved")
def trained_in_vain(seen: UnmovedParameters) -> Hits:
    for made, name in {p.made: p.container for p in seen.hidden}.items():
        count = sum(p.container == name for p in seen.hidden)
        says = (
            f"{count} parameters in `self.{name}` are not registered: gradients come, nothing moves"
        )
        if any(p.plain for p in seen.hidden if p.container == name):
            says = (
                f"`self.{name}` gathers gradients and is no Parameter: not moved, saved or trained"
            )
        yield seen.hit(says, where=made, parameters=count)
