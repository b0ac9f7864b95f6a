r"""Each worker goes through the whole of an iterable dataset.

For a dataset with indices the DataLoader deals them out to its workers. An `IterableDataset` has none: every worker
gets a copy and iterates all of it, so with `num_workers=2` each record comes twice in an epoch, and with
several ranks as many times more.

Cure: take a part by `torch.utils.data.get_worker_info()` in `__iter__`, as in
`itertools.islice(file, info.id, None, info.num_workers)`, and by rank where there are several.

Bad:

```python
from torch.utils.data import DataLoader, IterableDataset


class Numbers(IterableDataset):
    def __iter__(self):
        for number in range(8):
            yield number


loader = DataLoader(Numbers(), batch_size=4, num_workers=2)  # here: each number comes twice
numbers = [int(number) for batch in loader for number in batch]  # seen: 2 workers
```

Proof:

```python
assert sorted(numbers) == sorted(2 * list(range(8)))
```

Bad (lines of a file):

```python
from pathlib import Path

from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as file:
            yield from file


Path("lines.txt").write_text("a\nb\n")
lines = Lines("lines.txt")
batches = list(DataLoader(lines, num_workers=3))  # here: # seen: each line comes three times
```

Proof:

```python
assert len(batches) == 6
```

Bad (a word for pieces divides nothing):

```python
from pathlib import Path

from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, shards):
        self.shards = shards

    def __iter__(self):
        for shard in self.shards:
            with open(shard) as file:
                yield from file


shards = ["one.txt", "two.txt"]
for shard in shards:
    Path(shard).write_text("a\nb\n")
lines = Lines(shards)
batches = list(DataLoader(lines, num_workers=2))  # here: # seen: 2 workers
```

Proof:

```python
assert len(batches) == 8
```

Good:

```python
from itertools import islice

from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Numbers(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        first, step = (info.id, info.num_workers) if info else (0, 1)
        yield from islice(range(8), first, None, step)


loader = DataLoader(Numbers(), batch_size=4, num_workers=2)
numbers = [int(number) for batch in loader for number in batch]
```

Fine (no workers, a single one, divided by a function in each worker, endless random samples, indices):

```python
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Numbers(IterableDataset):
    def __init__(self):
        self.start, self.end = 0, 8

    def __iter__(self):
        yield from range(self.start, self.end)


class Samples(IterableDataset):
    def __iter__(self):
        for index in range(4):
            yield torch.rand(2)


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index * index

    def __iter__(self):
        return iter(range(4))


def divide(worker):
    dataset = get_worker_info().dataset
    dataset.start, dataset.end = 4 * worker, 4 * worker + 4


batches = list(DataLoader(Numbers(), num_workers=0))
batches = list(DataLoader(Numbers(), num_workers=1))
batches = list(DataLoader(Numbers(), num_workers=2, worker_init_fn=divide))
batches = list(DataLoader(Samples(), num_workers=2))
batches = list(DataLoader(Squares(), num_workers=2))
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import RepeatedStream
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def whole_stream_in_each_worker(code: Code) -> Hits:
    for loader in code.calls_to("torch.utils.data.DataLoader"):
        for name, reads in code.whole_streams(loader) if code.forks(loader) else ():
            workers = code.argument(loader, "num_workers", position=5)
            times = f"each of {code.text_of(workers)} workers" if workers else "each worker"
            yield code.hit(loader, f"{times} goes through all of `{name}`", sure=reads)


@pitfall.watches("loader.repeats")
def same_batches_from_each_worker(seen: RepeatedStream) -> Hits:
    says = f"the first batches of all {seen.workers} workers are the same: each goes through all of"
    yield seen.hit(f"{says} `{seen.dataset}`", workers=seen.workers)
