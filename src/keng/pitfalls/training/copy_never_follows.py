r"""A copy that is to follow the weights stays what it was.

A target network, a momentum encoder, an average of the weights begin as a copy of the network that trains, and only live by
being moved after it. Where that has no effect nothing is said: the goals are those of the first, random weights for ever. It
has none where a loop binds its own variable to a new tensor (`slow = 0.99 * slow + 0.01 * fast` instead of `slow.mul_(...)`,
`slow.lerp_(...)`), where a network is loaded from itself, where the decay is 1, or so near to it that in half precision
each step is rounded away.

Cure: write in place, under `no_grad`: `slow.lerp_(fast, 1 - decay)`; load from the network that trains; keep averages in
float32.

Bad (loaded from itself):

```python
import copy

import torch
from torch import nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(q)
before = target[0].weight.clone()
optimizer = torch.optim.Adam(q.parameters(), lr=1e-2)
for step in range(40):
    state, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16)
    with torch.no_grad():
        goal = reward + 0.9 * target(after).max(1).values
    loss = (q(state).max(1).values - goal).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        target.load_state_dict(target.state_dict())  # here: written to, and it stays
```

Proof:

```python
assert torch.equal(target[0].weight, before)
```

Bad (bound to a new tensor):

```python
import copy

import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(4, 4)
        self.slow = copy.deepcopy(self.online).requires_grad_(False)
        self.guess = nn.Linear(4, 4)

    def follow(self):
        for slow, fast in zip(self.slow.parameters(), self.online.parameters()):
            slow = 0.99 * slow + 0.01 * fast  # here: a name, and no memory

    def forward(self, x):
        return (self.guess(self.online(x)) - self.slow(x)).square().mean()


torch.manual_seed(0)
pair = Pair()
before = pair.slow.weight.clone()
optimizer = torch.optim.SGD([*pair.online.parameters(), *pair.guess.parameters()], lr=0.1)
for step in range(40):
    optimizer.zero_grad()
    pair(torch.randn(16, 4)).backward()
    optimizer.step()
    pair.follow()
```

Proof:

```python
assert torch.equal(pair.slow.weight, before)
```

Bad (a second name, and no copy):

```python
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.q = nn.Linear(4, 2)
        self.goal = self.q
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.1)

    def learn(self):
        state, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16)
        with torch.no_grad():
            wanted = reward + 0.9 * self.goal(after).max(1).values
        loss = (self.q(state).max(1).values - wanted).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


torch.manual_seed(0)
agent = Agent()
for step in range(20):
    agent.learn()
    if step % 5 == 4:
        agent.goal.load_state_dict(agent.q.state_dict())  # seen: both are one
```

Proof:

```python
assert agent.goal is agent.q
```

Bad (a teacher, in a class of its own):

```python
import copy

import torch
from torch import nn


class MeanTeacher:
    def __init__(self, student, decay=0.9):
        self.student, self.decay = student, decay
        self.teacher = copy.deepcopy(student).requires_grad_(False)

    @torch.no_grad()
    def update(self):
        for old, new in zip(self.teacher.parameters(), self.student.parameters()):
            old = self.decay * old + (1 - self.decay) * new  # here: a name, and no memory


torch.manual_seed(0)
mean = MeanTeacher(nn.Linear(4, 4))
before = mean.teacher.weight.clone()
optimizer = torch.optim.SGD(mean.student.parameters(), lr=0.1)
for step in range(40):
    x, y = torch.randn(16, 4), torch.randn(16, 4)
    with torch.no_grad():
        goal = mean.teacher(x)
    out = mean.student(x)
    optimizer.zero_grad()
    ((out - y).square().mean() + (out - goal).square().mean()).backward()
    optimizer.step()
    mean.update()
```

Proof:

```python
assert torch.equal(mean.teacher.weight, before)
```

Bad (a decay of 1):

```python
import copy

import torch
from torch import nn

torch.manual_seed(0)
student = nn.Linear(4, 4)
teacher = copy.deepcopy(student).requires_grad_(False)
before = teacher.weight.clone()
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
momentum = 1
for step in range(40):
    x = torch.randn(16, 4)
    loss = (student(x + 0.1 * torch.randn(16, 4)) - teacher(x)).square().mean()
    optimizer.zero_grad()
    (loss + student.weight.square().mean()).backward()
    optimizer.step()  # seen: `teacher` has not moved
    with torch.no_grad():
        for slow, fast in zip(teacher.parameters(), student.parameters()):
            slow.mul_(momentum).add_(fast, alpha=1 - momentum)
```

Good:

```python
import copy

import torch
from torch import nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(q)
optimizer = torch.optim.Adam(q.parameters(), lr=1e-2)
for step in range(40):
    state, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16)
    with torch.no_grad():
        goal = reward + 0.9 * target(after).max(1).values
    loss = (q(state).max(1).values - goal).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        target.load_state_dict(q.state_dict())
```

Fine (a reference that is to stay, and is gone through; a target that is loaded seldom; one that is made anew; a teacher with other weights):

```python
import copy

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.q = nn.Linear(4, 2)
        self.target = copy.deepcopy(self.q)
        self.optimizer = torch.optim.SGD(self.q.parameters(), lr=0.1)

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())

    def learn(self, step):
        x = torch.randn(8, 4)
        with torch.no_grad():
            goal = self.target(x)
        self.optimizer.zero_grad()
        (self.q(x) - goal - 1).square().mean().backward()
        self.optimizer.step()
        if step % 1000 == 999:
            self.sync()


torch.manual_seed(0)
policy, target_teacher = nn.Linear(4, 2), nn.Linear(4, 2)
reference = copy.deepcopy(policy).requires_grad_(False)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
agent = Agent()
for weight in reference.parameters():
    weight = weight.detach()
for step in range(40):
    x = torch.randn(8, 4)
    with torch.no_grad():
        near, far = reference(x), target_teacher(x)
    out = policy(x)
    optimizer.zero_grad()
    ((out - near).square().mean() + (out - far).square().mean()).backward()
    optimizer.step()
    agent.learn(step)
optimizer.load_state_dict(optimizer.state_dict())
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import OwnState, StillCopy
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def written_nowhere(code: Code) -> Hits:
    for assigned, name in code.parameters_rebound():
        says = f"this gives the name `{name}` to a new tensor: the parameter stays what it was"
        yield code.hit(assigned, says)
    for call in code.loaded_from_themselves():
        model = code.text_of(code.receiver(call))
        yield code.hit(call, f"`{model}` is loaded from itself, and stays what it was")


@pitfall.watches("copy.still")
def stays_what_it_was(seen: StillCopy) -> Hits:
    says = f"`{seen.module}`, a copy of `{seen.of}`, has not moved in {seen.steps} steps that moved that"
    why = (
        f"written to {seen.writes} times, with what it holds"
        if seen.writes
        else "nothing writes to it"
    )
    yield seen.hit(f"{says}: {why}", steps=seen.steps, writes=seen.writes)


@pitfall.watches("state.own")
def loaded_from_what_it_is(seen: OwnState) -> Hits:
    says = f"`{seen.module}` is given its own state, again and again"
    yield seen.hit(f"{says}: what is to follow it is no copy", times=seen.times)
