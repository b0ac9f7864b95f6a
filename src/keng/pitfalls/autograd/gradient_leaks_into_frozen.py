r"""A part that is not being trained gets gradients all the same.

What a second model is given by a first carries the first one's graph. `backward` of the second's loss goes on through
it: time and memory of a whole backward pass are spent, and the first model's `.grad` is filled with gradients of a loss
that it is not meant to follow, or, in a GAN, of the opposite one. Unless they are cleared before its own step, it
follows them.

Cure: `second(first(x).detach())`, or the first under `torch.no_grad()`.

Bad:

```python
import torch
from torch import nn

generator = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
critic = nn.Linear(8, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(3):
    fake = generator(torch.randn(16, 4))
    c_optimizer.zero_grad()
    c_loss = critic(fake).mean() - critic(torch.randn(16, 8)).mean()  # here: `generator`
    c_loss.backward()
    c_optimizer.step()
leaked = generator[0].weight.grad
for step in range(3):
    g_optimizer.zero_grad()
    g_loss = -critic(generator(torch.randn(16, 4))).mean()
    g_loss.backward()
    g_optimizer.step()
```

Proof:

```python
assert leaked is not None and leaked.abs().sum() > 0
```

Bad (the discriminator's step goes through the generator):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
generator, discriminator = nn.Linear(2, 4), nn.Linear(4, 1)
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.01)
optimizer_d = torch.optim.SGD(discriminator.parameters(), lr=0.01)
for step in range(6):
    optimizer_d.zero_grad()
    fake = discriminator(generator(torch.randn(8, 2)))  # seen: not detached
    F.softplus(fake).mean().backward()
    optimizer_d.step()
    optimizer_g.zero_grad()
    score = discriminator(generator(torch.randn(8, 2)))
    F.softplus(-score).mean().backward()
    optimizer_g.step()
```

Bad (features that nothing trains):

```python
import torch
from torch import nn

torch.manual_seed(0)
features, head = nn.Linear(2, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(6):
    optimizer.zero_grad()
    y = head(features(torch.randn(8, 2)))  # seen: `features`
    y.square().mean().backward()
    optimizer.step()
```

Bad (a target network):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self):
        self.q, self.target = nn.Linear(4, 2), nn.Linear(4, 2)
        self.target.load_state_dict(self.q.state_dict())
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.01)

    def learn(self, state, action, reward, after):
        value = self.q(state).gather(1, action).squeeze(1)
        wanted = reward + 0.99 * self.target(after).max(1).values  # here: with its graph
        loss = F.smooth_l1_loss(value, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent()
for step in range(3):
    batch = torch.randn(8, 4), torch.randint(0, 2, (8, 1)), torch.rand(8), torch.randn(8, 4)
    agent.learn(*batch)
leaked = agent.target.weight.grad
```

Proof:

```python
assert leaked is not None and leaked.abs().sum() > 0
```

Bad (a teacher in eval mode):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

teacher, student = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2)), nn.Linear(4, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
teacher.eval()
for x in DataLoader(torch.randn(12, 4), batch_size=4):
    wanted = teacher(x)  # here: eval() stops no gradients
    loss = (student(x) - wanted).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert teacher[0].weight.grad is not None
```

Good:

```python
import torch
from torch import nn

generator = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
critic = nn.Linear(8, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(3):
    fake = generator(torch.randn(16, 4))
    c_optimizer.zero_grad()
    c_loss = critic(fake.detach()).mean() - critic(torch.randn(16, 8)).mean()
    c_loss.backward()
    c_optimizer.step()
    g_optimizer.zero_grad()
    (-critic(fake).mean()).backward()
    g_optimizer.step()
```

Bad (a target network that follows step by step):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Agent:
    def __init__(self):
        self.local, self.target = nn.Linear(4, 2), nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.local.parameters(), lr=0.01)

    def learn(self, state, reward, after):
        best = self.target(after).max(1)[0]  # here: `self.target`
        wanted = reward + 0.9 * best
        loss = F.mse_loss(self.local(state).max(1)[0], wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.follow(self.local, self.target)

    def follow(self, model, slow):
        for theirs, own in zip(slow.parameters(), model.parameters()):
            theirs.data.copy_(0.01 * own.data + 0.99 * theirs.data)


agent = Agent()
for step in range(3):
    agent.learn(torch.randn(8, 4), torch.randn(8), torch.randn(8, 4))
```

Proof:

```python
assert agent.target.weight.grad is not None
```

Bad (a teacher from a file):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.save(nn.Linear(4, 2).state_dict(), "teacher.pt")
teacher, student = nn.Linear(4, 2), nn.Linear(4, 2)
teacher.load_state_dict(torch.load("teacher.pt"))
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for x in DataLoader(torch.randn(12, 4), batch_size=4):
    x = x.to("cpu")
    wanted = teacher(x)  # here: `teacher`
    loss = (student(x) - wanted).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert teacher.weight.grad is not None
```

Fine (made without a graph; frozen; one output for both; an optimizer for both):

```python
import torch
from torch import nn

generator, critic = nn.Linear(4, 8), nn.Linear(8, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
c_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
both = torch.optim.Adam([*generator.parameters(), *critic.parameters()], lr=1e-3)
for step in range(2):
    with torch.no_grad():
        fake = generator(torch.randn(16, 4))
    c_optimizer.zero_grad()
    c_loss = critic(fake).mean()
    c_loss.backward()
    c_optimizer.step()
for step in range(2):
    fake = generator(torch.randn(16, 4))
    both.zero_grad()
    loss = critic(fake).mean()
    loss.backward()
    both.step()
for step in range(2):
    fake = generator(torch.randn(16, 4))
    score = critic(fake).mean()
    c_optimizer.zero_grad()
    g_optimizer.zero_grad()
    score.backward()
    c_optimizer.step()
    g_optimizer.step()
```

Fine (trained together, with two optimizers in either order; moved by hand):

```python
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(2, 4), nn.Linear(4, 1)
first = torch.optim.SGD(encoder.parameters(), lr=0.01)
second = torch.optim.SGD(decoder.parameters(), lr=0.01)
for order in ((first, second), (second, first)):
    for step in range(6):
        for optimizer in order:
            optimizer.zero_grad()
        decoder(encoder(torch.randn(8, 2))).square().mean().backward()
        for optimizer in order:
            optimizer.step()
for step in range(6):
    second.zero_grad()
    encoder.zero_grad()
    decoder(encoder(torch.randn(8, 2))).square().mean().backward()
    second.step()
    with torch.no_grad():
        for p in encoder.parameters():
            p -= 0.01 * p.grad
```

Fine (two optimizers that take turns with one loss):

```python
import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
turns = [torch.optim.SGD(part.parameters(), lr=0.01) for part in (encoder, decoder)]
for step in range(20):
    x = torch.randn(8, 4)
    loss = (decoder(encoder(x)) - x).square().mean()
    for optimizer in turns:
        optimizer.zero_grad()
    loss.backward()
    turns[step // 5 % 2].step()
```

Fine (targets that are cut or frozen, by callers too; trained with the whole; a judge that gradients pass):

```python
import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class Agent:
    def __init__(self):
        self.q = nn.Linear(4, 2)
        self.old, self.frozen = copy.deepcopy(self.q), copy.deepcopy(self.q)
        for p in self.frozen.parameters():
            p.requires_grad = False
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.01)

    def wanted(self, after):
        with torch.no_grad():
            return self.old(after).max(1).values

    def learn(self, state, after):
        wanted = self.wanted(after) + self.frozen(after).max(1).values
        loss = F.mse_loss(self.q(state).max(1).values, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def learn_cut(self, state, after):
        wanted = self.old(after).max(1).values
        loss = F.mse_loss(self.q(state).max(1).values, wanted.detach())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def distill(student, teacher, loader):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    teacher.eval()
    for x in loader:
        wanted = teacher(x)
        loss = (student(x) - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def perceptual(maker, judge, loader):
    optimizer = torch.optim.SGD(maker.parameters(), lr=0.1)
    judge.eval()
    for x in loader:
        made = maker(x)
        loss = judge(made).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 2), nn.Linear(4, 2)
        self.b.load_state_dict(self.a.state_dict())

    def fit(self, loader):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        for x in loader:
            loss = (self.a(x) - self.b(x)).square().mean() + self.b.weight.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


agent, batch = Agent(), (torch.randn(8, 4), torch.randn(8, 4))
agent.learn(*batch)
agent.learn_cut(*batch)
loader = DataLoader(torch.randn(12, 4), batch_size=4)
net = nn.Linear(4, 2).requires_grad_(False)
distill(nn.Linear(4, 2), net, loader)
perceptual(nn.Linear(4, 4), net, loader)
Pair().fit(loader)
```

Fine (a generator that is frozen while the discriminator steps, in three ways):

```python
import torch
from torch import nn


def switch(model, on):
    for p in model.parameters():
        p.requires_grad = on


generator, discriminator = nn.Linear(4, 2), nn.Linear(2, 1)
g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.01)
d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.01)


def step_of_generator():
    switch(generator, True)
    g_optimizer.zero_grad()
    (-discriminator(generator(torch.randn(8, 4))).mean()).backward()
    g_optimizer.step()


for _ in range(3):
    switch(generator, False)
    fake = generator(torch.randn(8, 4))
    d_optimizer.zero_grad()
    (discriminator(fake).mean() - discriminator(torch.randn(8, 2)).mean()).backward()
    d_optimizer.step()
    step_of_generator()
for _ in range(3):
    generator.requires_grad_(False)
    fake = generator(torch.randn(8, 4))
    d_optimizer.zero_grad()
    (discriminator(fake).mean() - discriminator(torch.randn(8, 2)).mean()).backward()
    d_optimizer.step()
    step_of_generator()
for _ in range(3):
    for p in generator.parameters():
        p.requires_grad = False
    fake = generator(torch.randn(8, 4))
    d_optimizer.zero_grad()
    (discriminator(fake).mean() - discriminator(torch.randn(8, 2)).mean()).backward()
    d_optimizer.step()
    step_of_generator()
```

Fine (a copy that learns by itself, from a loss of its own):

```python
import copy

import torch
from torch import nn

model = nn.Linear(4, 1)
learner = copy.deepcopy(model)
for step in range(3):
    learner.zero_grad()
    loss = learner(torch.randn(8, 4)).square().mean()
    loss.backward()
    with torch.no_grad():
        for p in learner.parameters():
            p -= 0.1 * p.grad
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LeakedGradients
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def backward_into_the_other(code: Code) -> Hits:
    for given, first, second in code.leaks_between_models():
        fix = Fix("Cut the graph", (code.append(given, ".detach()"),))
        says = f"the backward of `{second}` goes on through `{first}`, which does not step here"
        yield code.hit(given, says, fix=fix)


@pitfall.finds
def backward_through_what_does_not_learn(code: Code) -> Hits:
    for call, name in code.recorded_bystanders():
        says = f"the loss goes backward through `{name}` as well, which no optimizer has"
        yield code.hit(call, f"{says}: call it under no_grad")


@pitfall.watches("gradients.leaked")
def gradients_that_nobody_used(seen: LeakedGradients) -> Hits:
    says = f"the backward for `{seen.trained}` goes on through `{seen.behind}`, whose gradients"
    cure = "nobody uses: detach() what it is given"
    if not seen.learns:
        cure = "no optimizer has used: give it one, or detach() its output"
    yield seen.hit(f"{says} {cure}", steps_in_a_row=seen.times)
