r"""A dataset's length is not that of its data.

`len(dataset)` alone tells the sampler which indices there are. Where it is too small the last samples are
never seen, and no error tells. Where it is too large an index reads past the end, which lists and tensors
refuse, in the middle of an epoch.

Windows of a series are fewer than its points: those that begin near the end run past it and come out shorter.

A sampler that was made for the whole data set reads past the end of a Subset in the same way.

Cure: `return len(self.x)`, of what `__getitem__` picks from; `len(self.x) - self.width + 1` for windows; a sampler, or
its weights, for the subset.

Bad (the last eight are never seen):

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(40, 4), torch.randn(40, 1)

    def __len__(self):
        return 32  # seen: of which 32 are used

    def __getitem__(self, index):
        return self.x[index], self.y[index]


batches = list(DataLoader(Pairs(), batch_size=8))
```

Bad (windows that begin where none is left):

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, width):
        self.series, self.width = series, width

    def __len__(self):
        return len(self.series)  # here: `len(self.series) - self.width + 1`

    def __getitem__(self, index):
        return self.series[index : index + self.width]


data = Windows(torch.randn(103), 10)
loader = DataLoader(data, batch_size=16)
```

Proof:

```python
assert len(data[len(data) - 1]) < data.width
```

Bad (a target behind the last point):

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Next(Dataset):
    def __init__(self, tokens, block):
        self.tokens = tokens
        self.block = block

    def __len__(self):
        return len(self.tokens) - self.block + 1  # here: `len(self.tokens) - self.block`

    def __getitem__(self, i):
        x = self.tokens[i : i + self.block]
        y = self.tokens[i + 1 : i + self.block + 1]
        return x, y


data = Next(torch.arange(20), 8)
loader = DataLoader(data, batch_size=4)
```

Proof:

```python
assert len(data[len(data) - 1][1]) < data.block
```

Bad (counted in the constructor; rows of a table; the value that is to be foretold):

```python
import torch
from torch.utils.data import Dataset


class Ahead(Dataset):
    def __init__(self, table, past, ahead=5):
        self.table = table
        self.past, self.ahead = past, ahead
        self.count = table.shape[0] - past

    def __len__(self):
        return self.count  # here: run past the end

    def __getitem__(self, index):
        end = index + self.past
        return self.table[index:end], self.table[end + self.ahead - 1]


data = Ahead(torch.randn(30, 2), 8)
first, foretold = data[0]
```

Proof:

```python
assert len(data) - 1 + data.past + data.ahead > len(data.table)
```

Good:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(40, 4), torch.randn(40, 1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


batches = list(DataLoader(Pairs(), batch_size=8))
```

Fine (windows, the next value, chosen samples, a table of names beside the data):

```python
import torch
from torch.utils.data import DataLoader, Dataset, Subset


class Windows(Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(40), torch.randn(40)

    def __len__(self):
        return 36

    def __getitem__(self, index):
        return self.x[index : index + 4], self.y[index + 4 - 1]


class Chosen(Dataset):
    def __init__(self):
        self.x, self.chosen = torch.randn(40, 2), [3, 5, 7, 11]

    def __len__(self):
        return len(self.chosen)

    def __getitem__(self, index):
        return self.x[self.chosen[index]]


class Next(Dataset):
    def __init__(self):
        self.x = torch.randn(40)

    def __len__(self):
        return len(self.x) - 1

    def __getitem__(self, index):
        return self.x[index], self.x[index + 1]


for data in (Windows(), Chosen(), Next(), Subset(Chosen(), [0, 1])):
    batches = list(DataLoader(data, batch_size=2))
```

Fine (as many windows as there are; windows of one; windows that begin apart; the last ones padded):

```python
import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class Whole(Dataset):
    def __init__(self, x, width, ahead=1):
        self.x, self.width, self.ahead = x, width, ahead

    def __len__(self):
        return len(self.x) - self.width - self.ahead + 1

    def __getitem__(self, i):
        end = i + self.width
        return self.x[i:end], self.x[end : end + self.ahead]


class Ones(Whole):
    def __init__(self, x, width=1):
        super().__init__(x, width)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i : i + 1], self.x[i - 1]


class Single(Dataset):
    def __init__(self, x, width=1):
        self.x, self.width = x, width

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        width = self.width
        return self.x[i : i + width]


class Pieces(Whole):
    def __len__(self):
        return len(self.x) // self.width

    def __getitem__(self, i):
        begin = i * self.width
        return self.x[begin : begin + self.width]


class Padded(Whole):
    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        cut = self.x[i : i + self.width]
        return F.pad(cut, (0, self.width - len(cut)))


x = torch.randn(40)
whole = Whole(x, 8)
assert len(whole[len(whole) - 1][1]) == len(Single(x)[39]) == 1
assert [len(each[len(each) - 1]) for each in (Ones(x), Pieces(x, 8), Padded(x, 8))] == [2, 8, 8]
```

Message (torch 2.13; `2 samples`):

```text
UserWarning: Length of IterableDataset <__main__.Numbers object at 0x7f6787e1ad90> was reported to be 2(when accessing len(dataloader)), but 3 samples have been fetched.
```

Message (torch 0.2 to 0.3, of a list; `return len(self.train_set_path)`):

```text
  File "/env/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 40, in <listcomp>
    samples = collate_fn([dataset[i] for i in batch_indices])
  File "dataset.py", line 46, in __getitem__
    img_path, gt_path = self.train_set_path[idx]
IndexError: list index out of range
```

Message (torch 1.2 to 2.13, of an array; `why they differ`):

```text
  File "/env/lib/python3.11/site-packages/torch/utils/data/_utils/fetch.py", line 54, in fetch
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "dataset.py", line 21, in __getitem__
    return self.images[index], self.labels[index]
IndexError: index 512 is out of bounds for axis 0 with size 512
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LoaderBegun
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

PICKED = re.compile(r"\b((?:self\.)?\w+)\[(?:idx|index|item)\]")
"""What is picked by the index that was asked for; an `i` may be another one."""


@pitfall.finds(fixes=True)
def cut_past_the_end(code: Code) -> Hits:
    for cut, length, wanted in code.items_past_the_end():
        says = f"for the last indices `{code.text_of(cut)}` would run past the end"
        fix = Fix("Count what is whole", (code.replace(length, wanted),)) if wanted else None
        cure = (
            f": the length is `{wanted}`" if wanted else f": `{code.text_of(length)}` counts them"
        )
        yield code.hit(length, says + cure, fix)


@pitfall.watches("loader.begun")
def rows_never_reached(loader: LoaderBegun) -> Hits:
    shorter = [rows for rows in loader.rows if rows.items > loader.length > 0]
    for rows in shorter if len(shorter) == len(loader.rows) else ():
        says = f"`self.{rows.attribute}` has {rows.items} items, of which {loader.length} are used"
        says = f"{says}: the dataset's length is {loader.length}"
        yield loader.hit(says, where=loader.length_at or rows.made, items=rows.items)


@pitfall.explains(
    r"Length of IterableDataset .{1,200}? was reported to be (?P<length>\d+) ?\(when accessing len\(dataloader\)\), but (?P<came>\d+) samples",
    odds=0.95,
)
def more_than_was_said(failure: Failure) -> Hits:
    length, came = failure.groups["length"], failure.groups["came"]
    yield failure.hit(
        f"the stream says that it has {length} samples and gives {came}: __len__ counts all, or each worker takes its share"
    )


@pitfall.explains(
    r"(?:^|Error: )list index out of range",
    r"index -?\d+ is out of bounds for axis 0 with size \d+",
    odds=0.9,
)
def past_the_end(failure: Failure) -> Hits:
    picked, last = PICKED.findall(failure.line), failure.frames[-2:]
    fetched = len(last) == 2 and "/torch/utils/data/" in last[0].posix
    if picked and fetched and last[1].function == "__getitem__":
        names = " or ".join(f"`{name}`" for name in dict.fromkeys(picked))
        least = f"`return len({picked[-1]})`"
        if " or " in names:
            least = "the shorter one's, and why they differ"
        yield failure.hit(
            f"{names} has fewer items than the dataset's length says{failure.live.fetched.told}: {least}"
        )
    elif last and "torch/utils/data/" in last[-1].posix and "self.indices[" in last[-1].text:
        says = "the sampler asks a Subset for samples behind its end: it was made for the whole data set"
        yield failure.hit(f"{says}: its weights or indices for the subset")
