r"""A running total keeps the graph of every step alive.

A loss holds the graph that computed it. `total += loss` links all those graphs into one, and
`losses.append(loss)` keeps each: memory grows with every step until it ends, and the run dies after
hours with an out-of-memory error in a line that is innocent.

Cure: keep the number, `loss.item()`, or the value without its graph, `loss.detach()`, which does not
wait for the device.

Bad:

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total = 0.0
for step in range(40):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    total += loss  # here: the graphs of all steps hang on `total`
```

Bad (a list):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = []
for step in range(40):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    losses.append(loss)  # here: each keeps its graph
mean = torch.stack(losses).mean().item()
```

Bad (an attribute, a term of the loss):

```python
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Linear(8, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.total = 0.0

    def fit(self, steps):
        for step in range(steps):
            self.optimizer.zero_grad()
            fit = self.model(torch.randn(16, 8)).square().mean()
            penalty = self.model.weight.abs().sum()
            loss = fit + 0.1 * penalty
            loss.backward()
            self.optimizer.step()
            self.total += fit  # here: a term of the loss keeps the graph too


trainer = Trainer()
trainer.fit(40)
```

Bad (a running average of a generator's loss, beside the steps of its critic):

```python
import torch
from torch import nn

G, C = nn.Linear(4, 2), nn.Linear(2, 1)
g_opt = torch.optim.SGD(G.parameters(), lr=0.01)
c_opt = torch.optim.SGD(C.parameters(), lr=0.01)
average = 0.0
for step in range(40):
    for _ in range(2):
        with torch.no_grad():
            fake = G(torch.randn(8, 4))
        c_loss = C(fake).mean() - C(torch.randn(8, 2)).mean()
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()
    g_loss = -C(G(torch.randn(8, 4))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    average = 0.9 * average + 0.1 * g_loss  # here: all that came before hangs on it
nodes, todo = 0, [average.grad_fn]
while node := todo.pop():
    nodes += 1
    todo += [before for before, _ in reversed(node.next_functions) if before is not None]
    todo = todo or [None]
```

Proof:

```python
assert nodes > 400
```

Bad (the sum of two losses that went backward apart; a total that is emptied now and then):

```python
import torch
from torch import nn

critic = nn.Linear(8, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.01)
history, total = [], 0.0
for step in range(40):
    optimizer.zero_grad()
    real = critic(torch.randn(16, 8)).square().mean()
    real.backward()
    fake = critic(torch.randn(16, 8)).abs().mean()
    fake.backward()
    optimizer.step()
    both = real + fake
    history.append(both)  # here: both graphs
    total += real  # here: a thousand graphs, until it is printed
    if step % 1000 == 999:
        print(total / 1000)
        total = 0.0
```

Bad (an agent that remembers):

```python
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.losses = []

    def learn(self, states):
        loss = self.net(states).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)  # here: each keeps its graph


agent = Agent()
for step in range(40):
    agent.learn(torch.randn(16, 4))
```

Bad (an agent that remembers a term of its loss):

```python
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.fits, self.weights = [], []

    def learn(self, states, step):
        weight = 1 / (step + 1)
        fit = self.net(states).square().mean()
        loss = fit + weight * self.net.weight.abs().sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.weights.append(weight)
        self.fits.append(fit)  # here: each keeps its graph


agent = Agent()
for step in range(40):
    agent.learn(torch.randn(16, 4), step)
```

Bad (in records of a class):

```python
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Seen:
    state: torch.Tensor
    value: torch.Tensor


critic = nn.Linear(8, 1)
optimizer = torch.optim.SGD(critic.parameters(), lr=0.01)
memory = []
for step in range(40):
    state = torch.randn(8)
    memory.append(Seen(state, critic(state)))  # seen: each keeps its graph
    optimizer.zero_grad()
    critic(torch.stack([each.state for each in memory[-8:]])).square().mean().backward()
    optimizer.step()
```

Bad (a loss that a step returns):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def advance(x):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


losses = []
for step in range(40):
    loss = advance(torch.randn(16, 8))
    losses.append(loss)  # here: with the graph that it came with
```

Bad (a meter that takes what it is given):

```python
import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n  # seen: each sum has all graphs behind it
        self.count += n


model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = AverageMeter()
for step in range(40):
    loss = model(torch.randn(16, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.update(loss, 16)  # here: its sum keeps all graphs until the reset
```

Bad (averages of the weights, taken with autograd on):

```python
import torch
from torch import nn


class Shadow:
    def __init__(self, model):
        self.values = {name: p.detach().clone() for name, p in model.named_parameters()}

    def update(self, model):
        for name, p in model.named_parameters():
            self.values[name] = 0.9 * self.values[name] + 0.1 * p  # seen: `shadow.values`


torch.manual_seed(0)
model = nn.Linear(4, 1)
shadow = Shadow(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(80):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    shadow.update(model)
```

Proof:

```python
depth, node = 0, shadow.values["weight"].grad_fn
while node is not None:
    depth, node = depth + 1, node.next_functions[0][0]
assert depth > 80
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total, losses = 0.0, []
for step in range(40):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    total += loss.item()
    losses.append(loss.detach())
```

Fine (a loss of several terms, a bounded window, a list that is emptied, totals without a graph, evaluation):

```python
from collections import deque

import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
window, recent = deque(maxlen=20), []
average, positive = 0.0, 0
for step in range(40):
    optimizer.zero_grad()
    loss = 0.0
    for scale in (0.5, 1.0):
        output = model(scale * torch.randn(16, 8))
        loss += output.square().mean()
    loss.backward()
    optimizer.step()
    window.append(loss)
    recent.append(loss)
    if len(recent) == 4:
        print(torch.stack(recent).mean().item())
        recent.clear()
    hits = (output > 0).sum()
    positive += hits
    with torch.no_grad():
        average += 0.1 * loss
losses = []
for step in range(3):
    losses.append(model(torch.randn(16, 8)).square().mean())
torch.stack(losses).sum().backward()
total = 0.0
with torch.no_grad():
    for step in range(40):
        loss = model(torch.randn(16, 8)).square().mean()
        total += loss
```

Fine (meters that read the number, keep the last value, or are emptied in each round):

```python
import torch
from torch import nn


class Meter:
    def __init__(self):
        self.last, self.sum, self.total, self.seen = None, 0.0, 0.0, []

    def number(self, value):
        if isinstance(value, torch.Tensor):
            value = value.item()
        self.sum += value

    def update(self, value):
        self.last = value
        with torch.no_grad():
            self.total += value

    def collect(self, value):
        self.seen.append(value)

    def flush(self):
        mean = torch.stack(self.seen).mean().item()
        self.seen = []
        return mean


model, meter = nn.Linear(8, 1), Meter()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(40):
    loss = model(torch.randn(16, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.number(loss)
    meter.update(loss)
    meter.collect(loss)
    shown = meter.flush()
```

Fine (a window that only a closure sees, and one that is an attribute):

```python
from collections import deque

import torch
from torch import nn


def smoother(width):
    last = deque(maxlen=width)

    def smooth(loss):
        last.append(loss)
        return torch.stack(tuple(last)).median().item()

    return smooth


class Trainer:
    def __init__(self):
        self.model, self.last = nn.Linear(8, 1), deque(maxlen=4)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)

    def fit(self, steps, smooth):
        for step in range(steps):
            self.optimizer.zero_grad()
            loss = self.model(torch.randn(16, 8)).square().mean()
            loss.backward()
            self.optimizer.step()
            self.last.append(loss)
            shown = smooth(loss)


Trainer().fit(40, smoother(width=20))
```

Fine (kept by a method, and dropped or bounded; the numbers of an output that has a loss):

```python
from collections import deque
from types import SimpleNamespace

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.recent, self.window, self.numbers = [], deque(maxlen=4), []

    def learn(self, states):
        loss = self.net(states).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.recent.append(loss)
        self.window.append(loss)
        self.numbers.append(loss.item())

    def report(self):
        mean = torch.stack(self.recent).mean().item()
        self.recent.clear()
        return mean


agent, picked = Agent(), []
for step in range(4):
    for _ in range(3):
        agent.learn(torch.randn(16, 4))
    agent.report()


def advance(x, numbers):
    loss = agent.net(x).square().mean()
    agent.optimizer.zero_grad()
    loss.backward()
    agent.optimizer.step()
    return loss.item() if numbers else loss.detach()


for step in range(4):
    shown = advance(torch.randn(16, 4), step > 2)
    picked.append(shown)
for step in range(4):
    logits = agent.net(torch.randn(16, 4))
    output = SimpleNamespace(logits=logits, loss=logits.square().mean())
    agent.optimizer.zero_grad()
    output.loss.backward()
    agent.optimizer.step()
    picked.append(output.logits.argmax(-1))
```

Fine (losses of several batches, summed up for one backward):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
pending, count = 0.0, 0
for step in range(8):
    part = model(torch.randn(16, 8)).square().mean() / 4
    pending = pending + part
    count += 1
    if count == 4:
        optimizer.zero_grad()
        pending.backward()
        optimizer.step()
        pending, count = 0.0, 0
```

Fine (numbers that losses are weighed with):

```python
import torch
from torch import nn

ROUNDS = 4
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def train(batches, share, scale=2.0):
    total, seen, mean = 0.0, 0, 0.0
    for step, x in enumerate(batches):
        size = x.size(0)
        loss = model(x).square().sum() / size / ROUNDS
        (share * loss * scale).backward()
        total += loss.item() * ROUNDS * size
        seen += size
        mean = mean + share * loss.item() / scale
        if (step + 1) % ROUNDS == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total / seen, mean


shown = train(torch.randn(8, 16, 8), 0.5)
```

Fine (averages without a graph; a sum that one backward takes up; scores of this step):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
means = {name: p.detach().clone() for name, p in model.named_parameters()}
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(80):
    optimizer.zero_grad()
    total, scores = 0, {}
    for part in range(3):
        scores[part] = model(torch.randn(8, 4)).square().mean()
        total = total + scores[part]
    total.backward()
    optimizer.step()
    with torch.no_grad():
        for name, p in model.named_parameters():
            means[name] = 0.9 * means[name] + 0.1 * p
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import HeldGraphs
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def graph_kept_after_backward(code: Code) -> Hits:
    for loop in code.loops_with_steps:
        losses = code.losses(loop)
        summed = {code.text_of(loss) for loss in losses}
        lost = [part for loss in losses for part in code.parts(loss)]
        for node, holder, value in code.kept_values(loop):
            names = [
                name
                for name in code.attached(value)
                if code.is_loss_of_step(name)
                or any(code.same_loss(own, part) for own in code.parts(name) for part in lost)
            ]
            if not names or code.grad_at(node) is not Grad.ON:
                continue
            if code.renewed_in(holder, loop) or code.bounded(holder):
                continue
            text = code.text_of(holder)
            if text in summed:
                continue  # for a backward of its own
            edits = tuple(code.append(code.read_as(name), ".detach()") for name in names)
            fix = Fix("Keep the value without its graph: `.detach()`", edits)
            yield code.hit(
                node, f"`{text}` keeps the graph of every step through `{names[0].id}`", fix=fix
            )


@pitfall.finds(fixes=True)
def graph_kept_on_self(code: Code) -> Hits:
    for node, holder, name in code.kept_on_self():
        if code.grad_at(node) is not Grad.ON:
            continue
        edit = code.append(code.read_as(name), ".detach()")
        fix = Fix("Keep the value without its graph: `.detach()`", (edit,))
        says = f"`{code.text_of(holder)}` keeps the graph of every step through `{name.id}`"
        yield code.hit(node, says, fix=fix)


@pitfall.watches("graphs.held")
def one_more_graph_each_step(held: HeldGraphs) -> Hits:
    holder = held.holder
    if holder is None or holder.bounded:
        return
    memory = held.bytes / 2**20
    says = f"`{holder.name}` holds the graphs of {held.graphs} steps, about {memory:.2g} MB, and one more each step"
    yield held.hit(
        says, where=holder.where, graphs=held.graphs, holder=holder.name, bytes=held.bytes
    )
