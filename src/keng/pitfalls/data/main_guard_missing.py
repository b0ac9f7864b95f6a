r"""Worker processes start the program again, since its main part is not guarded.

Where processes are spawned (Windows, macOS, Python 3.14 on Linux, or where the start method was set so) a
child imports the main file anew. What stands there outside of `if __name__ == "__main__":` is executed
again, and would start workers again.

Cure: put what runs under `if __name__ == "__main__":`; set the start method once, in there.

Bad:

```python
import multiprocessing

multiprocessing.set_start_method("spawn", force=True)
multiprocessing.set_start_method("spawn")  # seen: it is set already
```

Good:

```python
import torch
from torch.utils.data import DataLoader

if __name__ == "__main__":
    for batch in DataLoader(torch.ones(4), num_workers=0):
        pass
```

Message (Python 3.11; `if __name__ == "__main__":`):

```text
RuntimeError:
        An attempt has been made to start a new process before the
        current process has finished its bootstrapping phase.

        This probably means that you are not using fork to start your
        child processes and you have forgotten to use the proper idiom
        in the main module:

            if __name__ == '__main__':
                freeze_support()
                ...
```

Message (a DataLoader under Windows; `as it began`):

```text
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    for batch in loader:
  File "C:\env\lib\site-packages\torch\utils\data\dataloader.py", line 278, in __iter__
    return _MultiProcessingDataLoaderIter(self)
  File "C:\env\lib\multiprocessing\popen_spawn_win32.py", line 89, in __init__
    reduction.dump(process_obj, to_child)
BrokenPipeError: [Errno 32] Broken pipe
```

Message (a DataLoader in a notebook under Windows; `that a cell defines`):

```text
Traceback (most recent call last)
<ipython-input-12-3f5d2e1a9c10> in <module>
----> 1 for batch in loader:
C:\env\lib\site-packages\torch\utils\data\dataloader.py in __iter__(self)
    277             return _SingleProcessDataLoaderIter(self)
--> 278         return _MultiProcessingDataLoaderIter(self)
C:\env\lib\multiprocessing\popen_spawn_win32.py in __init__(self, process_obj)
---> 89                 reduction.dump(process_obj, to_child)
BrokenPipeError: [Errno 32] Broken pipe
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CELL = re.compile(r"<ipython-input|[\\/]ipykernel_\d")
"""Of a notebook."""


@pitfall.explains(
    r"An attempt has been made to start a new process before the\s{1,20}current process has finished",
    odds=0.97,
)
def not_guarded(failure: Failure) -> Hits:
    yield failure.hit(
        'a child imports this file and would start children itself: put what runs under if __name__ == "__main__":'
    )


@pitfall.explains(r"context has already been set", odds=0.9)
def set_twice(failure: Failure) -> Hits:
    yield failure.hit(
        "the start method was set before, by a library, a cell or a process that is started: once, below the main guard, or set_start_method(..., force=True)"
    )


@pitfall.explains(r"\[Errno 32\] Broken pipe$", odds=0.8)
def child_gone_at_its_start(failure: Failure) -> Hits:
    on_windows = any("\\" in frame.path for frame in failure.frames)
    if on_windows and failure.passed_through("torch/utils/data/dataloader.py"):
        cause = 'most often since it started children itself: put what runs under if __name__ == "__main__":'
        if CELL.search("\n".join(frame.path for frame in failure.frames)):
            cause = "since it knows no class or function that a cell defines: num_workers=0, or the dataset in a file of its own"
        yield failure.hit(f"a child has ended as it began, {cause}")
