r"""Positions are counted along the batch, and not along the sequence.

A table of positions of shape (length, 1, d) is made for input of (length, batch, d), where `table[: x.size(0)]` is one row for
each step. With `batch_first=True` the first size is that of the batch: each sample gets one position for all of its steps, another
one in each batch. No error tells; the model cannot know the order, and a larger batch reads positions it has never seen.

Cure: a table of (1, length, d), and `x + self.pe[:, : x.size(1)]`.

Bad:

```python
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, d, longest=64):
        super().__init__()
        angles = torch.arange(longest).unsqueeze(1) / 100.0 ** (torch.arange(0, d, 2) / d)
        pe = torch.zeros(longest, 1, d)
        pe[:, 0, 0::2], pe[:, 0, 1::2] = angles.sin(), angles.cos()
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[: x.size(0)]  # here: that is the batch


positions = Positions(8)
layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
x = torch.zeros(4, 10, 8)
out = positions(x)
```

Proof:

```python
assert torch.equal(out[:, 0], out[:, 9]) and not torch.equal(out[0], out[1])
```

Bad (a table that is learned, turned round where it is made):

```python
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, d=8, longest=32):
        super().__init__()
        table = torch.randn(longest, d) * 0.1
        self.table = nn.Parameter(table.unsqueeze(0).transpose(0, 1))
        self.attention = nn.MultiheadAttention(d, 2, batch_first=True)

    def places(self, x):
        return self.table[: x.shape[0], :] + x  # here: as well

    def forward(self, x):
        x = self.places(x)
        return self.attention(x, x, x)[0]


x = torch.zeros(4, 10, 8)
out = Encoder().places(x)
```

Proof:

```python
assert torch.equal(out[:, 0], out[:, 9])
```

Good:

```python
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, d, longest=64):
        super().__init__()
        angles = torch.arange(longest).unsqueeze(1) / 100.0 ** (torch.arange(0, d, 2) / d)
        pe = torch.zeros(1, longest, d)
        pe[0, :, 0::2], pe[0, :, 1::2] = angles.sin(), angles.cos()
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]


layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
out = layer(Positions(8)(torch.zeros(4, 10, 8)))
```

Fine (input of (length, batch, d)):

```python
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, d, longest=64):
        super().__init__()
        self.register_buffer("pe", torch.randn(longest, 1, d))

    def forward(self, x):
        return x + self.pe[: x.size(0)]


layer = nn.TransformerEncoderLayer(8, 2)
out = layer(Positions(8)(torch.zeros(10, 4, 8)))
```

Fine (the batch is put behind, and in front again):

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, d=8, longest=64):
        super().__init__()
        self.pe = nn.Parameter(torch.randn(longest, 1, d))
        self.layer = nn.TransformerEncoderLayer(d, 2, batch_first=True)

    def forward(self, x):
        x = x.transpose(0, 1)
        x = x + self.pe[: x.size(0)]
        return self.layer(x.transpose(0, 1))


out = Model()(torch.zeros(4, 10, 8))
```

Message (torch 1.0 to 2.13, with the line; `32 positions`):

```text
RuntimeError: The size of tensor a (64) must match the size of tensor b (32) at non-singleton dimension 0

it came when I made the batch size 64, at
    x += self.pos_embedding[0:shape]
```

Message (torch 1.0 to 2.13, a table with the steps in front; `.transpose(0, 1)`):

```text
Traceback (most recent call last):
  File "model.py", line 31, in forward
    x = x + self.pe[:x.size(1)]
RuntimeError: The size of tensor a (32) must match the size of tensor b (120) at non-singleton dimension 0
```

Message (torch 1.0 to 2.13, told in words; `batch_first=True`):

```text
With batch_first=True the positional encoder raises
RuntimeError: The size of tensor a (batch_size) must match the size of tensor b (max_seq_len) at non-singleton dimension 0
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

CUT = re.compile(
    r"\+=? ?(?P<table>self\.\w{0,30}(?:pos|pe)\w{0,30})\[(?:0 ?)?: ?(?!seq|t\b|n\b|len)\w+(?:\.size\(0\)|\.shape\[0\])?\]"
)

STEPS_IN_FRONT = re.compile(
    r"\+=? ?(?P<table>self\.\w{0,30}(?:pos|pe)\w{0,30})\[(?:0 ?)?: ?\w+\.(?:size\(1\)|shape\[1\])\]"
)
POSITIONAL = re.compile(r"[Pp]osition|\bpos_(?:enc|emb)|\bpe\b")


@pitfall.finds(fixes=True)
def counted_along_the_batch(code: Code) -> Hits:
    for cut, size in code.positions_along_batch():
        text, length = code.text_of(size), code.text_of(size).replace("0", "1")
        says = f"`{text}` is the batch here, as batch_first=True: one position a sample; `{length}`"
        edits = (code.replace(size, length), code.append(cut, ".transpose(0, 1)"))
        yield code.hit(cut, says, Fix("Count along the sequence", edits))


@pitfall.explains(
    r"The size of tensor a \((?P<came>\d+)\) must match the size of tensor b \((?P<rows>\d+)\) at non-singleton dimension 0",
    odds=0.96,
)
def batch_beyond_the_table(failure: Failure) -> Hits:
    came, rows = int(failure.groups["came"]), int(failure.groups["rows"])
    written = f"{failure.line}\n{failure.message}\n{failure.around}"
    cut = CUT.search(written)
    if cut is not None and rows < came:
        yield failure.hit(
            f"`{cut['table']}` has {rows} positions and is cut by the first dimension, {came}: where that is the batch, cut by x.size(1), else a longer table",
            sure="batch" in f"{written}{failure.told}",
        )


@pitfall.explains(
    r"size of tensor a \((?P<a>[\w ]{1,40})\) must match the size of tensor b \((?P<b>[\w ]{1,40})\) at non-singleton dimension 0",
    odds=0.95,
)
def steps_in_front(failure: Failure) -> Hits:
    sizes = f"{failure.groups['a']} {failure.groups['b']}".lower()
    cut = STEPS_IN_FRONT.search(f"{failure.line}\n{failure.around}")
    told = f"{failure.line}\n{failure.told}"
    named = "batch" in sizes and ("seq" in sizes or "len" in sizes)
    if cut is not None:
        yield failure.hit(
            f"`{cut['table']}` has the steps in its first dimension, where the input has the batch: a table of (1, length, d), or .transpose(0, 1) of the cut"
        )
    elif POSITIONAL.search(told) and (named or "batch_first=True" in told):
        yield failure.hit(
            "the table of positions has the steps in its first dimension, where batch_first=True has the batch: (1, length, d), as pe.transpose(0, 1), cut by x.size(1)",
            sure=named,
        )
