r"""The loss counts labels that only fill up a batch.

`pad_sequence` makes sentences equally long, their labels too. Without `ignore_index` cross-entropy counts each filled-up place as
a label like any other: the mean is mostly of padding where one sentence is long, it falls fast, as padding is easy, and the
gradient of the words becomes small beside it. Where 0 is a class as well, the model is taught to answer it.

Cure: fill up with -100, which cross-entropy leaves out by itself, or name the number: `nn.CrossEntropyLoss(ignore_index=PAD)`.

Bad:

```python
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD = 0
torch.manual_seed(0)
lengths = [3, 4, 3, 30]
sentences = [(torch.randint(1, 20, (n,)), torch.randint(1, 5, (n,))) for n in lengths]


def collate(batch):
    words, tags = zip(*batch)
    words = pad_sequence(words, batch_first=True, padding_value=PAD)
    tags = pad_sequence(tags, batch_first=True, padding_value=PAD)
    return words, tags


loader = DataLoader(sentences, batch_size=4, collate_fn=collate)
model = nn.Sequential(nn.Embedding(20, 8, padding_idx=PAD), nn.Linear(8, 5))
criterion = nn.CrossEntropyLoss()
for words, tags in loader:
    scores = model(words)
    loss = criterion(scores.view(-1, 5), tags.view(-1))  # here: of 120 labels 80 are padding
    loss.backward()
```

Proof:

```python
assert (tags == PAD).float().mean() > 0.6
words_alone = nn.functional.cross_entropy(scores.view(-1, 5), tags.view(-1), ignore_index=PAD)
assert not torch.isclose(loss, words_alone)
```

Bad (as a function, zeros by default):

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
sentences = [(torch.randn(n, 6), torch.randint(1, 5, (n,))) for n in (3, 4, 3, 12)]


def pad(batch):
    return pad_sequence([x for x, _ in batch], True), pad_sequence([y for _, y in batch], True)


loader, model = DataLoader(sentences, 4, collate_fn=pad), nn.Linear(6, 5)
for step, (frames, states) in enumerate(loader):
    loss = F.cross_entropy(model(frames).flatten(0, 1), states.flatten())  # here: too
```

Proof:

```python
frames_alone = F.cross_entropy(model(frames).flatten(0, 1), states.flatten(), ignore_index=0)
assert not torch.isclose(loss, frames_alone)
```

Good:

```python
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD = 0
sentences = [(torch.randint(1, 20, (n,)), torch.randint(1, 5, (n,))) for n in (3, 4, 3, 30)]


def collate(batch):
    words, tags = zip(*batch)
    words = pad_sequence(words, batch_first=True, padding_value=PAD)
    tags = pad_sequence(tags, batch_first=True, padding_value=PAD)
    return words, tags


loader = DataLoader(sentences, batch_size=4, collate_fn=collate)
model = nn.Sequential(nn.Embedding(20, 8, padding_idx=PAD), nn.Linear(8, 5))
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for words, tags in loader:
    loss = criterion(model(words).view(-1, 5), tags.view(-1))
    loss.backward()
```

Fine (what every loss leaves out; a mask; one label a sentence; a weight of zero):

```python
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

sentences = [(torch.randint(1, 20, (n,)), torch.randint(5, (n,))) for n in (3, 4, 3, 30)]


def ignored(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, True), pad_sequence(tags, True, -100)


def zeros(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, True), pad_sequence(tags, True)


def single(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, True), torch.stack([t[0] for t in tags])


model, criterion = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 5)), nn.CrossEntropyLoss()
each = nn.CrossEntropyLoss(reduction="none")
weighted = nn.CrossEntropyLoss(weight=torch.tensor([0.0, 1, 1, 1, 1]))
for words, tags in DataLoader(sentences, batch_size=4, collate_fn=ignored):
    loss = criterion(model(words).view(-1, 5), tags.view(-1))
for words, tags in DataLoader(sentences, batch_size=4, collate_fn=zeros):
    keep, scores = words != 0, model(words)
    loss = criterion(scores[keep], tags[keep]) + weighted(scores.view(-1, 5), tags.view(-1))
    loss = loss + (each(scores.view(-1, 5), tags.view(-1)) * keep.view(-1)).sum() / keep.sum()
for words, tags in DataLoader(sentences, batch_size=4, collate_fn=single):
    loss = criterion(model(words)[:, 0], tags)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def padding_counted(code: Code) -> Hits:
    for call, made, collate, value in code.padded_labels():
        says = f"`{collate}` fills labels up with {value}, and the loss counts these: `ignore_index={value}`"
        yield code.hit(
            call, says, code.add_argument(made, f"ignore_index={value}", "Leave padding out")
        )
