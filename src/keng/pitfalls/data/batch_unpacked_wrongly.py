r"""A batch, or what a layer returns, is unpacked into another number of names than it has parts.

A loader gives for each batch as many parts as `__getitem__` returns, and no number of the batch: that comes from `enumerate`. A batch that is a
dict unpacks into its keys, one tensor into its rows. A `collate_fn` gets the list of samples. `nn.LSTM` returns its output and a pair
of states, `nn.GRU` and `nn.RNN` an output and one state.

Cure: as many names as `dataset[0]` has parts, `for i, (x, y) in enumerate(loader)`; `zip(*batch)` in a `collate_fn`;
`out, (h, c) = lstm(x)`, `out, h = gru(x)`.

Bad (three parts into two names):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(4, 2), torch.ones(4), torch.ones(4)))
for x, y in loader:  # seen: `loader`
    pass
```

Bad (no enumerate):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(4, 2), torch.ones(4), torch.ones(4)))
for i, (x, y, z) in loader:  # seen: `enumerate(loader)`
    pass
```

Bad (one part):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

train_loader = DataLoader(TensorDataset(torch.ones(4, 2)))
x, y = next(iter(train_loader))  # seen: 1 part
```

Bad (samples for columns):

```python
from torch.utils.data import DataLoader


def collate(batch):
    x, y = batch  # seen: `zip(*batch)`
    return x


rows = next(iter(DataLoader([(1, 2)] * 3, batch_size=3, collate_fn=collate)))
```

Bad (the states of an LSTM):

```python
import torch
from torch import nn

lstm = nn.LSTM(2, 3)
out, h, c = lstm(torch.ones(4, 1, 2))  # seen: `out, (h, c)`
```

Bad (the state of a GRU):

```python
import torch
from torch import nn

gru = nn.GRU(2, 3)
out, (h, c) = gru(torch.ones(4, 1, 2))  # seen: `out, h`
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(4, 2), torch.ones(4)))
for i, (x, y) in enumerate(loader):
    pass
out, (h, c) = nn.LSTM(2, 3)(torch.ones(4, 1, 2))
```

Message (torch 1.2, code of before 1.1; `packed.batch_sizes`):

```text
  File "lstm.py", line 78, in forward
    input, batch_sizes = input
ValueError: too many values to unpack (expected 2)
```

Message (torch 1.0 to 2.13, from a notebook; `collate_fn`):

```text
     11     for batch in train_loader:
---> 12         images, labels = batch

ValueError: too many values to unpack (expected 2)
```

Message (torchtext, in a sentence; `include_lengths=True`):

```text
I get a ValueError "too many values to unpack (expected 2)" due to "text, text_lengths = batch.text"
```

Message (torch 1.2 to 2.13; `__getitem__`):

```text
  File "/env/lib/python3.9/site-packages/torch/utils/data/_utils/fetch.py", line 52, in fetch
    return self.collate_fn(data)
  File "train.py", line 30, in collate
    imgs, boxes = zip(*batch)
TypeError: 'NoneType' object is not iterable
```

Message (torch 1.0 to 2.13, of a model of one's own; `decoder`):

```text
  File "translate.py", line 150, in train
    output, hidden = decoder(word, hidden, outputs)
ValueError: too many values to unpack (expected 2)
```

Message (torch 1.0 to 2.13, a result that was kept; `predictions`):

```text
  File "tools.py", line 150, in prepare
    scores, boxes = predictions
ValueError: too many values to unpack (expected 2)
```
"""

import re

from keng.explain.advice.results import unpacked_otherwise
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

LOADER = re.compile(
    r"(?:for (?P<names>[^\n]{1,120}?) in|(?P<into>[\w, ()]{3,120}) = next\() ?(?P<of>[^\n]{0,60}?(?:[Ll]oader|_dl\b|data_?iter)[^\n]{0,60})"
)
BATCH = re.compile(
    r"[\w, ()]{3,80} = (?:\w+ for \w+ in )?(?:batch|batch_data|data_batch|sample)$|"
    r"\b(?:inputs?|images?|imgs?|data), (?:labels?|targets?|masks?) = (?:data|item|d)$",
    re.MULTILINE,
)
COUNTED = re.compile(r"\w+, ?[(\[]")
FIELD = re.compile(r"\w+, ?\w*len\w* = (?P<of>(?:batch|b)\.\w+)")
"""Of a batch of torchtext's."""
AS_RETURNED = "as many as __getitem__ or collate_fn returns, and by name where that is a dict"
RECURRENT = re.compile(
    r"(?P<names>[\w, ()]{3,80}) = (?:self\.)?\w{0,30}(?P<kind>lstm|LSTM|gru|GRU|rnn|RNN)\w{0,30}\("
)


@pitfall.explains(
    r"(?:not enough|too many) values to unpack \(expected (?P<wants>\d+)(?:, got (?P<came>\d+))?\)",
    odds=0.94,
)
def other_parts(failure: Failure) -> Hits:
    text = failure.line or failure.around
    if _in_collate(failure):
        yield failure.hit(
            "a collate_fn gets a list of samples: `x, y = zip(*batch)` takes them apart"
        )
    elif found := LOADER.search(text):
        yield failure.hit(_of_a_loader(found, failure))
    elif found := FIELD.search(text):
        yield failure.hit(
            f"`{found['of']}` is the text alone: its Field gives the lengths beside it with include_lengths=True"
        )
    elif found := BATCH.search(text):
        wants, came = failure.groups["wants"], failure.groups["came"] or "another number of"
        yield failure.hit(
            f"a batch has {came} parts, and {wants} are unpacked: {AS_RETURNED}",
            sure=failure.written_for_torch,
        )
    elif says := unpacked_otherwise(text, failure.groups["wants"]):
        yield failure.hit(says, sure=False)
    elif "batch_sizes = " in text:
        yield failure.hit(
            "a PackedSequence has four fields since torch 1.1: packed.data, packed.batch_sizes"
        )
    elif found := RECURRENT.search(text):
        gated = "(" in found["names"]
        yield failure.hit(
            "a GRU and an RNN have one state: `out, h = gru(x)`"
            if gated
            else "an LSTM returns its output and a pair of states: `out, (h, c) = lstm(x)`; GRU and RNN have one state"
        )


def _of_a_loader(found: re.Match[str], failure: Failure) -> str:
    names, of, wants = found["names"], found["of"].strip(" :"), failure.groups["wants"]
    if names and COUNTED.match(names) and "enumerate" not in of:
        return f"a loader gives batches without their number: `enumerate({of})`"
    came = failure.groups["came"]
    parts = "1 part" if came == "1" else f"{came or 'more'} parts"
    return f"a batch of `{of}` has {parts}, and {wants} are unpacked: {AS_RETURNED}"


@pitfall.explains(r"'NoneType' object is not (?:iterable|subscriptable)", odds=0.93)
def sample_of_nothing(failure: Failure) -> Hits:
    if _in_collate(failure):
        yield failure.hit("a sample is None: `__getitem__` returned nothing for it")


def _in_collate(failure: Failure) -> bool:
    """Whether the user's own collate_fn takes its batch apart."""
    last = failure.frames[-2:]
    called = len(last) == 2 and last[0].posix.endswith("_utils/fetch.py")
    return called and "collate_fn(" in last[0].text
