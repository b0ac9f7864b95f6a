r"""A graph is gone back through a second time.

`backward` frees the values that the graph holds as it goes. A second pass needs them: the same loss
again, a second loss over a shared part, a hidden state that carries the graph of the last batch into
this one, a tensor that was computed once before the loop.

Cure: `detach()` what the second pass is not to reach, or add the losses and go back once, or compute
anew what is shared; `retain_graph=True` only where both passes are meant, since it keeps the memory.

Bad (two adversaries, and a loss that goes through what both share):

```python
import torch
from torch import nn

generator, critic = nn.Linear(2, 2), nn.Linear(2, 1)
fake = generator(torch.randn(4, 2))
loss_d = critic(fake).mean()
loss_d.backward()
loss_g = -critic(fake).mean()
loss_g.backward()  # seen: `fake.detach()`
```

Bad (a hidden state carried from batch to batch):

```python
import torch
from torch import nn

rnn, head = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
hidden = torch.zeros(1, 2, 8)
for step in range(3):
    optimizer.zero_grad()
    out, hidden = rnn(torch.randn(2, 5, 4), hidden)  # here: with the graph of the last round
    loss = head(out).square().mean()
    loss.backward()
    optimizer.step()
```

Bad (the same, in a model of one's own, without an optimizer):

```python
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(4, 6), nn.Linear(6, 2)

    def forward(self, x, state):
        out, state = self.rnn(x, state)
        return self.head(out), state


def train(model, parts, state):
    for x in parts:
        out, state = model(x, state)
        loss = out.mean()
        loss.backward()  # seen: `perhaps through state: carry it on detached`


train(Tagger(), [torch.ones(3, 2, 4)] * 2, (torch.zeros(1, 2, 6), torch.zeros(1, 2, 6)))
```

Bad (a second backward of one loss):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
loss = model(torch.randn(8, 4)).square().mean()
loss.backward()
print(model.weight.grad)
loss.backward()  # here: its graph is gone
```

Bad (two losses over a shared part):

```python
import torch
from torch import nn

body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
features = torch.sigmoid(body(torch.randn(8, 4)))
loss_a = a(features).square().mean()
loss_b = b(features).square().mean()
loss_a.backward()
loss_b.backward()  # seen: features is shared
```

Bad (computed once, before the loop):

```python
import torch
from torch import nn

scale = torch.ones(4, requires_grad=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD([scale, *model.parameters()], lr=0.1)
weights = scale.exp()
for step in range(2):
    optimizer.zero_grad()
    loss = (model(torch.randn(8, 4)) * weights).square().mean()
    loss.backward()  # seen: the graph of weights was freed in the first round
    optimizer.step()
```

Bad (the discriminator is shown what the generator's step has used up):

```python
import torch
from torch import nn

torch.manual_seed(0)
generator, discriminator = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer_g = torch.optim.Adam(generator.parameters())
optimizer_d = torch.optim.Adam(discriminator.parameters())
criterion = nn.BCEWithLogitsLoss()
for real in torch.randn(3, 16, 8):
    fake = generator(torch.randn(16, 4).tanh()).tanh()
    made = discriminator(fake)
    optimizer_g.zero_grad()
    loss_g = criterion(made, torch.ones(16, 1))
    loss_g.backward()
    optimizer_g.step()
    optimizer_d.zero_grad()
    loss_d = criterion(discriminator(real), torch.ones(16, 1)) + criterion(made, torch.zeros(16, 1))
    loss_d.backward()  # here: `made` has lost its graph
    optimizer_d.step()
```

Bad (the same, by way of the samples):

```python
import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8), nn.Tanh())

    def forward(self, z):
        return self.model(z)


generator, discriminator = Generator(), nn.Sequential(nn.Linear(8, 1))
optimizer_g = torch.optim.Adam(generator.parameters())
optimizer_d = torch.optim.Adam(discriminator.parameters())
criterion = nn.BCEWithLogitsLoss()
for real in torch.randn(3, 16, 8):
    fake = generator(torch.randn(16, 4))
    optimizer_g.zero_grad()
    loss_g = criterion(discriminator(fake), torch.ones(16, 1))
    loss_g.backward()
    optimizer_g.step()
    optimizer_d.zero_grad()
    real_loss = criterion(discriminator(real), torch.ones(16, 1))
    fake_loss = criterion(discriminator(fake), torch.zeros(16, 1))
    loss_d = (real_loss + fake_loss) / 2
    loss_d.backward()  # here: `fake` has lost its graph; fake.detach() is meant
    optimizer_d.step()
```

Bad (the discriminator first):

```python
import torch
from torch import nn

generator, critic = nn.Linear(2, 3), nn.Linear(3, 1)
of_generator = torch.optim.SGD(generator.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
made = generator(torch.randn(4, 2))
loss_d = critic(made).mean()
of_critic.zero_grad()
loss_d.backward()
of_critic.step()
loss_g = -critic(made).mean()
of_generator.zero_grad()
loss_g.backward()  # here: `give made.detach() to the one`
```

Bad (an advantage that an actor and its critic share):

```python
import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
states, actions, returns = torch.randn(8, 4), torch.randint(2, (8,)), torch.randn(8)
values = critic(states).squeeze(-1)
advantage = returns - values
policy = torch.distributions.Categorical(logits=actor(states))
actor_loss = -(policy.log_prob(actions) * advantage).mean()
critic_loss = advantage.pow(2).mean()
actor_optimizer.zero_grad()
actor_loss.backward()
actor_optimizer.step()
critic_optimizer.zero_grad()
critic_loss.backward()  # here: the critic's graph was freed by the actor's
critic_optimizer.step()
```

Good:

```python
import torch
from torch import nn

rnn, head = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
hidden = torch.zeros(1, 2, 8)
for step in range(3):
    optimizer.zero_grad()
    out, hidden = rnn(torch.randn(2, 5, 4), hidden.detach())
    loss = head(out).square().mean()
    loss.backward()
    optimizer.step()
```

Fine (adversaries: detached, made anew, without gradients, kept for both):

```python
import torch
from torch import nn

generator, discriminator = nn.Sequential(nn.Linear(4, 8), nn.Tanh()), nn.Linear(8, 1)
optimizer_g = torch.optim.Adam(generator.parameters())
optimizer_d = torch.optim.Adam(discriminator.parameters())
criterion = nn.BCEWithLogitsLoss()
for real in torch.randn(3, 16, 8):
    optimizer_g.zero_grad()
    fake = generator(torch.randn(16, 4))
    loss_g = criterion(discriminator(fake), torch.ones(16, 1))
    loss_g.backward()
    optimizer_g.step()
    optimizer_d.zero_grad()
    loss_d = criterion(discriminator(fake.detach()), torch.zeros(16, 1))
    loss_d.backward()
    optimizer_d.step()
    optimizer_d.zero_grad()
    fake = generator(torch.randn(16, 4)).detach()
    loss_real = criterion(discriminator(real), torch.ones(16, 1))
    loss_real.backward()
    loss_fake = criterion(discriminator(fake), torch.zeros(16, 1))
    loss_fake.backward()
    optimizer_d.step()
    optimizer_g.zero_grad()
    fake = generator(torch.randn(16, 4))
    loss_a = criterion(discriminator(fake), torch.ones(16, 1))
    loss_a.backward(retain_graph=True)
    loss_b = fake.square().mean()
    loss_b.backward()
    optimizer_g.step()
```

Fine (detached on another line or in the model, steps through time inside one graph, both passes meant, a sum, which keeps nothing):

```python
import torch
from torch import nn


def repackage(hidden):
    return tuple(part.detach() for part in hidden)


class Keeper(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 8)

    def forward(self, x, state):
        state = self.cell(x, state.detach())
        return state.sum(1), state


lstm, gru, cell, keeper = nn.LSTM(4, 8), nn.GRU(4, 8), nn.GRUCell(4, 8), Keeper()
models = nn.ModuleList([lstm, gru, cell, keeper])
optimizer = torch.optim.SGD(models.parameters(), lr=0.1)
hidden = torch.zeros(1, 2, 8), torch.zeros(1, 2, 8)
for step in range(2):
    optimizer.zero_grad()
    hidden = repackage(hidden)
    out, hidden = lstm(torch.randn(5, 2, 4), hidden)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
state = torch.zeros(1, 2, 8)
for step in range(2):
    optimizer.zero_grad()
    out, state = gru(torch.randn(5, 2, 4), state)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
    state.detach_()
state = torch.zeros(2, 8)
for step in range(2):
    optimizer.zero_grad()
    out, state = keeper(torch.randn(2, 4), state)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
for step in range(2):
    optimizer.zero_grad()
    state = torch.zeros(2, 8)
    for x in torch.randn(5, 2, 4):
        state = cell(x, state)
    loss = state.square().mean()
    loss.backward(retain_graph=True)
    loss.backward()
    optimizer.step()
loss = lstm(torch.randn(5, 2, 4))[0].mean()
if loss.item() > 1:
    loss.backward()
if loss.item() <= 1:
    loss.backward()
x = torch.ones(2, requires_grad=True)
total = x.sum()
total.backward()
total.backward()
if total > 1:
    loss = lstm(torch.randn(5, 2, 4))[0].mean()
    loss.backward()
else:
    loss = gru(torch.randn(5, 2, 4))[0].mean()
    loss.backward()
```

Message (torch 1.8):

```text
RuntimeError: Trying to backward through the graph a second time, but the saved intermediate results have already been freed. Specify retain_graph=True when calling .backward() or autograd.grad() the first time.
```

Message (torch 1.0 to 2.13, of the generator that comes next; `fake.detach()`):

```text
  File "/code/gan.py", line 60, in train
    errG.backward()
  File "/env/lib/python3.10/site-packages/torch/_tensor.py", line 492, in backward
    torch.autograd.backward(
RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed).
```

Message (torch 1.0, of an adversary; `fake.detach()`):

```text
  File "/code/deblur/conditional_gan_model.py", line 110, in backward_D
    self.loss_D.backward()
  File "/env/lib/python3.6/site-packages/torch/tensor.py", line 93, in backward
    torch.autograd.backward(self, gradient, retain_graph, create_graph)
RuntimeError: Trying to backward through the graph a second time, but the buffers have already been freed. Specify retain_graph=True when calling backward the first time.
```

Message (an older torch; `each has its own`):

```text
RuntimeError: Trying to backward through the graph second time, but the buffers have already been freed. Please specify retain_variables=True when calling backward for the first time.
```
"""

import ast

from keng.explain.advice.passes import gone_back_twice, shared
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Act, Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def state_carried_with_its_graph(code: Code) -> Hits:
    for loop in code.training_loops:
        backwards = [s.call for s in loop.all(Act.BACKWARD) if isinstance(s.call, ast.Call)]
        if any(code.retains(call) for call in backwards):
            continue
        for call, name, known in code.carried(loop):
            if code.grad_at(call) is Grad.ON:
                says = f"`{name.id}` carries the graph of the last round into this one; give `{name.id}.detach()`"
                yield code.hit(call, says, sure=known)


@pitfall.finds
def same_loss_again(code: Code) -> Hits:
    for call in code.method_calls("backward"):
        before = code.backward_before(call)
        if before is None or code.probed(call):
            continue
        for loss, earlier in zip(code.lost(call), code.lost(before), strict=False):
            same = code.receiver(call) is loss and code.same_value(loss, earlier)
            if same and code.through_module(loss):
                says = f"the graph of `{loss.id}` was freed by its backward on line {before.lineno}"
                yield code.hit(call, says)


@pitfall.finds
def part_of_it_again(code: Code) -> Hits:
    for call in code.method_calls("backward"):
        before = code.backward_before(call)
        part = code.part_freed(call, before) if before is not None else None
        if before is not None and part is not None and not code.probed(call):
            says = f"`{part.id}` brings its graph, which the backward on line {before.lineno} freed"
            yield code.hit(call, says)


@pitfall.explains(r"Trying to backward through the graph (?:a )?second time", odds=0.95)
def freed_graph(failure: Failure) -> Hits:
    code, line = failure.code, failure.place.line if failure.place else 0
    losses = code.lost_on(line) if code is not None else []
    name = f"`{losses[0].id}`" if losses else "the loss"
    calls = code.on_line(line, ast.Call) if losses else []
    call = next((c for c in calls if code.lost(c) == losses), None)
    before = code.backward_before(call) if call is not None else None
    carried = [n for n in failure.live.reached if code is not None and _is_carried(n, code, line)]
    if before is None and carried:
        says = f"{name} reaches through `{carried[0]}` the graph of the round before, which its backward has freed"
        fix = code.cut_each_round(line, carried[0], failure.live.reached[carried[0]])
        yield failure.hit(f"{says}: carry on `{carried[0]}.detach()`", fix)
        return
    state, fix = code.handed_on(line) if code is not None else "", None
    if before is None and state:
        says = f"{name} reaches a graph that an earlier backward has freed, perhaps through `{state}`: carry it on detached"
        here = [e for e in code.loops if e.node.lineno <= line <= (e.node.end_lineno or 0)]
        known = [n.id for loop in here for _, n, known in code.carried(loop) if known]
        if state in known and state in failure.live.attached:
            fix = code.cut_each_round(line, state, failure.live.attached[state])
    elif before is None and (kept := failure.mended("kept_for_next", failure.live.attached)):
        state, fix = kept
        says = f"{name} reaches a graph that an earlier backward has freed, perhaps through `{state}`: carry it on detached"
    elif before is None:
        says = gone_back_twice(failure, name)
    else:
        says = f"{name} shares a graph with what went backward on line {before.lineno}"
        part = code.part_freed(call, before)
        between = [step for step in code.steps_called if before.lineno < step.lineno < line]
        if part is not None and between:
            fix = code.cut_for_the_first(before, part, between)
            says += f": give `{part.id}.detach()` to the one that is not to train what made it"
        else:
            says += f": {shared(losses[0].id, code.lost(before)[0].id)}"
    sure = before is not None and not code.same_value(losses[0], code.lost(before)[0])
    yield failure.hit(says, fix, sure=sure)


def _is_carried(name: str, code: Code, line: int) -> bool:
    """Whether the loop makes a variable of itself, or a module what it keeps: `model.state`."""
    owner, _, attribute = name.rpartition(".")
    return attribute in code.kept_from_itself() if owner else name in code.fed_back(line)
