r"""An error of a DataLoader's worker, or of a replica, is told without its traceback.

What a dataset raises in a worker process is raised again in the main process, with the traceback of the worker as
a part of its text, below `Original Traceback`. The frames that Python prints are those of the loader. Where a log
keeps the first line only, it says that an error was caught in a worker, and no more. The replicas of DataParallel hand on theirs in
the same way.

Cure: read, or log, the whole text; its last traceback is the one that counts. With `num_workers=0` the error is
raised where it happens, and a debugger stops there.

Bad:

```python
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    rows = [{"image": 1}, {"picture": 2}]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]["image"]


try:
    images = list(DataLoader(Rows(), num_workers=1))
except KeyError as error:
    told = str(error).splitlines()[0]
```

Proof:

```python
assert told == "Caught KeyError in DataLoader worker process 0."
```

Good:

```python
import traceback

from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    rows = [{"image": 1}, {"picture": 2}]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]["image"]


try:
    images = list(DataLoader(Rows(), num_workers=0))
except KeyError:
    told = traceback.format_exc()
```

Message (torch 1.13 to 2.13, a log that keeps first lines):

```text
AttributeError: Caught AttributeError in DataLoader worker process 0.
```

Message (torch 1.2 to 2.13, of a replica of DataParallel; `replica 0`):

```text
RuntimeError: Caught RuntimeError in replica 0 on device 0.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.explains(r"Caught (?P<kind>[\w.]+) in replica (?P<number>\d+) on device \d+\.", odds=0.6)
def told_by_a_replica(failure: Failure) -> Hits:
    kind, number = failure.groups["kind"], failure.groups["number"]
    says = (
        f"the model raised {kind} in replica {number} of DataParallel, and where is not told here"
    )
    yield failure.hit(f"{says}: read on below `Original Traceback`, or try a single card")


@pitfall.explains(
    r"Caught (?P<kind>[\w.]+) in DataLoader worker process (?P<number>\d+)\.", odds=0.95
)
def told_in_one_line(failure: Failure) -> Hits:
    kind, number = failure.groups["kind"], failure.groups["number"]
    says = f"the dataset raised {kind} in worker {number}, and where is not told here"
    yield failure.hit(f"{says}: read on below `Original Traceback`, or try num_workers=0")
