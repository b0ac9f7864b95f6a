r"""A decoder is judged while it is still told the right tokens.

A decoder that is trained with teacher forcing reads the right token of the step before instead of its own. An argument such as
`teacher_forcing_ratio=0.5` says how often, and a call that leaves it out takes the default also at evaluation: `model.eval()`
knows nothing of it. What is measured then is how well the model goes on from what is right; in use it has its own mistakes to go on
from, and is much worse than measured. With a ratio between 0 and 1 the score also differs from call to call. Where no answer is
picked from the scores, only a loss, `keng check --suspicious` tells it: a loss under teacher forcing may be meant.

Cure: give 0 (or `False`) at each evaluation, or let the forward ask: `ratio if self.training else 0.0`.

Bad:

```python
import random

import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, words=6, width=8):
        super().__init__()
        self.embed, self.cell = nn.Embedding(words, width), nn.GRUCell(width, width)
        self.out = nn.Linear(width, words)

    def forward(self, source, target, teacher_forcing_ratio=1.0):
        state, token, scores = self.embed(source).mean(1), torch.zeros_like(source[:, 0]), []
        for t in range(target.shape[1]):
            state = self.cell(self.embed(token), state)
            scores.append(self.out(state))
            forced = random.random() < teacher_forcing_ratio
            token = target[:, t] if forced else scores[-1].argmax(-1)
        return torch.stack(scores, 1)


def answers(model, batches):
    model.eval()
    with torch.no_grad():
        for source, target in batches:
            scores = model(source, target)  # here: `teacher_forcing_ratio=1.0`
            yield scores.argmax(-1)


torch.manual_seed(0)
model = Translator()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randint(6, (8, 5)), torch.randint(6, (8, 5))) for _ in range(3)]
for source, target in batches:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(source, target).flatten(0, 1), target.flatten()).backward()
    optimizer.step()
said = list(answers(model, batches))
right = sum((one == target).sum().item() for one, (_, target) in zip(said, batches))
```

Proof:

```python
source, target = batches[0]
alone = model(source, target, teacher_forcing_ratio=0.0).argmax(-1)
assert torch.equal(said[0][:, 0], alone[:, 0]) and not torch.equal(said[0], alone)
```

Bad (a switch):

```python
import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.out = nn.Embedding(9, 8), nn.GRUCell(8, 8), nn.Linear(8, 9)

    def forward(self, picture, caption, *, use_teacher_forcing=True):
        state, word, scores = picture, torch.zeros_like(caption[:, 0]), []
        for true in caption.unbind(1):
            state = self.cell(self.embed(word), state)
            scores.append(self.out(state))
            word = true if use_teacher_forcing else scores[-1].argmax(-1)
        return torch.stack(scores, 1)


captioner = Captioner()
captioner.eval()
with torch.no_grad():
    picture, caption = torch.randn(4, 8), torch.randint(9, (4, 6))
    scores = captioner(picture, caption)  # here: `use_teacher_forcing=True`
    words = scores.argmax(-1)
print((words == caption).float().mean())
```

Proof:

```python
alone = captioner(picture, caption, use_teacher_forcing=False)
assert scores[:, 0].allclose(alone[:, 0]) and not scores[:, 1:].allclose(alone[:, 1:])
```

Good:

```python
import torch
from torch import nn


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.out = nn.Embedding(9, 8), nn.GRUCell(8, 8), nn.Linear(8, 9)

    def forward(self, picture, caption, *, use_teacher_forcing=True):
        state, word, scores = picture, torch.zeros_like(caption[:, 0]), []
        for true in caption.unbind(1):
            state = self.cell(self.embed(word), state)
            scores.append(self.out(state))
            word = true if use_teacher_forcing else scores[-1].argmax(-1)
        return torch.stack(scores, 1)


captioner = Captioner()
captioner.eval()
with torch.no_grad():
    picture, caption = torch.randn(4, 8), torch.randint(9, (4, 6))
    scores = captioner(picture, caption, use_teacher_forcing=False)
    words = scores.argmax(-1)
print((words == caption).float().mean())
```

Fine (the forward asks for its mode; nothing to be told; in training; told that it is not forced by default):

```python
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.cell, self.out = nn.Embedding(9, 8), nn.GRUCell(8, 8), nn.Linear(8, 9)

    def unroll(self, state, target, ratio):
        word, scores = torch.zeros(len(state), dtype=torch.long), []
        for t in range(5):
            state = self.cell(self.embed(word), state)
            scores.append(self.out(state))
            forced = target is not None and torch.rand(()) < ratio
            word = target[:, t] if forced else scores[-1].argmax(-1)
        return torch.stack(scores, 1)


class Asking(Decoder):
    def forward(self, state, target, teacher_forcing_ratio=0.5):
        return self.unroll(state, target, teacher_forcing_ratio if self.training else 0.0)


class Optional(Decoder):
    def forward(self, state, target=None, teacher_forcing_ratio=0.5):
        return self.unroll(state, target, teacher_forcing_ratio)


class Free(Decoder):
    def forward(self, state, target, teacher_forcing_ratio=0.0):
        return self.unroll(state, target, teacher_forcing_ratio)


def judge(asking, optional, free):
    state, target = torch.randn(2, 8), torch.randint(9, (2, 5))
    with torch.no_grad():
        for scores in (asking(state, target), optional(state, None), optional(state)):
            print((scores.argmax(-1) == target).float().mean())
        print((free(state, target).argmax(-1) == target).all(1).float().mean())


asking, optional, free = Asking().eval(), Optional().eval(), Free().eval()
judge(asking, optional, free)
optional.train()
with torch.no_grad():
    print(optional(torch.randn(2, 8), torch.randint(9, (2, 5))).argmax(-1))
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def answers_given_at_evaluation(code: Code) -> Hits:
    for call, argument, default, judged in code.forced_evaluations():
        off = f"{argument}={type(default)(0)!r}"
        fix = code.add_argument(call, off, f"Let the model go on from what it said: `{off}`")
        told = f"`{argument}={default!r}` as in training"
        says = f"`{code.text_of(call.func)}` is evaluated with {told}: it is told the right tokens"
        yield code.hit(call, says, fix=fix, sure=judged)
