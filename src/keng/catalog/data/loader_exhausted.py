r"""A loader has no more batches, or none at all.

`iter(loader)` goes through the data once; `next()` after the last batch raises StopIteration. A loader of fewer samples than `batch_size`
with `drop_last=True`, or of an empty dataset, has no batch at all: the first `next()` raises, and a
loop over it does nothing.

Cure: `for batch in loader:` in a loop over epochs; where steps are counted a new iterator when one ends,
`try: batch = next(batches)`, `except StopIteration: batches = iter(loader)`; `drop_last=False`, or a smaller batch, for few samples.

Bad (more steps than batches):

```python
import torch
from torch.utils.data import DataLoader

batches = iter(DataLoader(torch.ones(4, 2), batch_size=2))
for step in range(5):
    x = next(batches)  # seen: `batches`
```

Bad (no batch at all):

```python
import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.ones(4, 2), batch_size=8, drop_last=True)
x = next(iter(loader))  # seen: `drop_last=True`
```

Good:

```python
import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.ones(4, 2), batch_size=2)
batches = iter(loader)
for step in range(5):
    try:
        x = next(batches)
    except StopIteration:
        batches = iter(loader)
        x = next(batches)
```

Message (torch 1.0 to 2.13, with workers; `batch_iterator`):

```text
  File "train.py", line 134, in train
    images, targets = next(batch_iterator)
  File "/env/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 435, in __next__
    data = self._next_data()
  File "/env/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 1058, in _next_data
    raise StopIteration
StopIteration
```
"""

import re

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

NEXT = re.compile(r"\bnext\((?P<of>\w[\w.]*)\)|(?P<old>\w[\w.]*)\.(?:next|__next__)\(\)")
FIRST = re.compile(r"\bnext\(iter\(|\biter\([^()]{1,80}\)\.(?:next|__next__)\(\)")


@pitfall.explains(r"\bStopIteration\b", odds=0.95)
def no_more_batches(failure: Failure) -> Hits:
    last = failure.raised_in
    if not last.endswith(("torch/utils/data/dataloader.py", "torch/utils/data/_utils/fetch.py")):
        return
    if FIRST.search(failure.line):
        yield failure.hit(
            "the loader has no batch at all: an empty dataset, or fewer samples than batch_size with drop_last=True"
        )
        return
    found = NEXT.search(failure.line)
    name = f"`{found['of'] or found['old']}`" if found else "the iterator"
    yield failure.hit(f"{name} has given its last batch: iter(loader) begins anew")
