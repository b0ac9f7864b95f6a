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

Message (torch 1.3; `encoding`):

```text
  File "/env/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 846, in _process_data
    data.reraise()
  File "/env/lib/python3.6/site-packages/torch/_utils.py", line 385, in reraise
    raise self.exc_type(msg)
TypeError: function takes exactly 5 arguments (1 given)
```

Message (torch 1.1; `'doc' and 'pos'`):

```text
  File "/env/lib/python3.7/site-packages/torch/utils/data/dataloader.py", line 608, in _process_next_batch
    raise batch.exc_type(batch.exc_msg)
TypeError: __init__() missing 2 required positional arguments: 'doc' and 'pos'
```

Message (torch 1.2 to 2.13, of a replica of DataParallel; `replica 0`):

```text
RuntimeError: Caught RuntimeError in replica 0 on device 0.
```

Message (torch 1.5 to 1.11; `ParameterList`):

```text
IndexError: Caught IndexError in replica 0 on device 0.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint")

MADE_WITH = {
    "'doc' and 'pos'": ", as json.JSONDecodeError",
    "'cmd'": ", as subprocess.CalledProcessError",
    "'stdout' and 'stderr'": ", as ffmpeg.Error",
    "'operation_name'": ", as botocore's ClientError",
    "'code', 'msg', 'hdrs', and 'fp'": ", as urllib's HTTPError",
}
"""What else an exception is made with -> whose it is."""


@pitfall.explains(r"Caught (?P<kind>[\w.]+) in replica (?P<number>\d+) on device \d+\.", odds=0.6)
def told_by_a_replica(failure: Failure) -> Hits:
    kind, number = failure.groups["kind"], failure.groups["number"]
    says = (
        f"the model raised {kind} in replica {number} of DataParallel, and where is not told here"
    )
    listed = (
        "; in torch 1.5 to 1.11 a ParameterList is empty in replicas"
        if kind == "IndexError"
        else ""
    )
    yield failure.hit(f"{says}: read on below `Original Traceback`, or try a single card{listed}")


@pitfall.explains(
    r"Caught (?P<kind>[\w.]+) in DataLoader worker process (?P<number>\d+)\.", odds=0.95
)
def told_in_one_line(failure: Failure) -> Hits:
    kind, number = failure.groups["kind"], failure.groups["number"]
    says = f"the dataset raised {kind} in worker {number}, and where is not told here"
    yield failure.hit(f"{says}: read on below `Original Traceback`, or try num_workers=0")


@pitfall.explains(
    r"function takes exactly 5 arguments \(1 given\)",
    r"__init__\(\) missing \d+ required (?:positional|keyword-only) arguments?: (?P<lacks>'.{1,200}')",
    odds=0.95,
)
def not_raised_again(failure: Failure) -> Hits:
    """Of older versions, which made each exception anew of its text alone."""
    last = failure.frames[-1] if failure.frames else None
    if last is None or "exc_type(" not in last.text or "/torch/" not in last.posix:
        return
    lacks = failure.groups.get("lacks", "")
    what = f"an exception of more than a text ({lacks}{MADE_WITH.get(lacks, '')})"
    if not lacks:
        what = (
            "a UnicodeDecodeError, as a file is in another encoding than open(..., encoding=) says"
        )
    says = f"the dataset raised {what}, which an older PyTorch cannot raise again from a worker"
    yield failure.hit(f"{says}: num_workers=0 tells where")
