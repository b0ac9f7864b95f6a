r"""A loader has no more batches, or none at all.

`iter(loader)` goes through the data once; `next()` after the last batch raises StopIteration. A loader of fewer samples than `batch_size`
with `drop_last=True`, or of an empty dataset, has no batch at all: the first `next()` raises, and a
loop over it does nothing, so that what is set in it alone is not there behind it.

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

Bad (a loop that had no batch):

```python
import torch
from torch.utils.data import DataLoader


def evaluate(loader):
    for x in loader:
        loss = x.mean()
    return loss.item()  # seen: which alone sets `loss`


evaluate(DataLoader(torch.ones(4, 2), batch_size=8, drop_last=True))
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

Message (torch 1.0 to 2.13, from a notebook; `data_iter`):

```text
---> 16     x, y = next(data_iter)

StopIteration:
```

Message (Python before 3.11; `dev_loader`):

```text
  File "steps/train_ctc.py", line 192, in main
    acc, dev_loss = run_epoch(count, model, dev_loader, loss_fn, device, is_training=False)
  File "steps/train_ctc.py", line 70, in run_epoch
    average_loss = total_loss / (i+1)
UnboundLocalError: local variable 'i' referenced before assignment
```

Message (Python 3.11 and later; `val_loader`):

```text
  File "train.py", line 88, in main
    loss = validate(val_loader, model)
  File "train.py", line 60, in validate
    return losses / step
UnboundLocalError: cannot access local variable 'step' where it is not associated with a value
```

Message (transformers 4 and 5; `max_steps=120`):

```text
There seems not to be a single sample in your epoch_iterator, stopping training at step 120! This is expected if you're using an IterableDataset and set num_steps (500) higher than the number of available samples.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

NEXT = re.compile(r"\bnext\((?P<of>\w[\w.]*)\)|(?P<old>\w[\w.]*)\.(?:next|__next__)\(\)")
NEXT_BATCH = re.compile(
    r"\bnext\((?:iter\()?\w*(?:loader|data_?iter|_dl|batch)\w*\)", re.IGNORECASE
)
LOADER = re.compile(r"\b\w{0,40}(?:loader|_dl)s?\b(?!\()")
FIRST = re.compile(r"\bnext\(iter\(|\biter\([^()]{1,80}\)\.(?:next|__next__)\(\)")


@pitfall.explains(
    r"local variable '(?P<name>\w+)' (?:referenced before assignment|where it is not associated)",
    odds=0.9,
)
def set_by_no_batch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    loop = failure.program.loop_that_alone_sets(name) if failure.program else None
    through = failure.program.text_of(loop.iter) if loop is not None else _counted(failure, name)
    if through:
        yield failure.hit(
            f"the loop over `{through}`, which alone sets `{name}`, was given no batch: an empty dataset, an iterator that was "
            "used up, or fewer samples than batch_size with drop_last=True"
        )


def _counted(failure: Failure, name: str) -> str:
    """The one loader that the traceback names, where the failing line divides by the steps of a loop over it."""
    steps = rf"/ ?\(?(?:float\()?{name}\b|\b{name} ?\+ ?1\b"
    named = {each for frame in failure.frames for each in LOADER.findall(frame.text)}
    return named.pop() if re.search(steps, failure.line) and len(named) == 1 else ""


@pitfall.explains(r"\bStopIteration\b", odds=0.95)
def no_more_batches(failure: Failure) -> Hits:
    last = failure.raised_in
    known = last.endswith(("torch/utils/data/dataloader.py", "torch/utils/data/_utils/fetch.py"))
    if not known and not NEXT_BATCH.search(failure.line or failure.around):
        return
    if FIRST.search(failure.line):
        yield failure.hit(
            "the loader has no batch at all: an empty dataset, or fewer samples than batch_size with drop_last=True"
        )
        return
    found = NEXT.search(failure.line)
    name = f"`{found['of'] or found['old']}`" if found else "the iterator"
    yield failure.hit(f"{name} has given its last batch: iter(loader) begins anew")


@pitfall.explains(
    r"not to be a single sample in your epoch_iterator, stopping training at step (?P<step>\d+)",
    odds=0.96,
)
def epoch_without_batch(failure: Failure) -> Hits:
    step = failure.groups["step"]
    cause = "the dataset is empty, or its stream was read before"
    if step != "0":
        cause = f"the stream ends after step {step} and does not begin anew: an __iter__ that opens its source again, or max_steps={step}"
    yield failure.hit(f"an epoch of the Trainer has no batch: {cause}")
