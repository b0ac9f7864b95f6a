r"""Something is sent to another process that cannot be pickled.

Spawned workers, `mp.spawn` and `torch.save` of a whole object send it by pickle, which stores functions
by name: a lambda, a function inside a function, a generator, a lock, an open file or a CUDA handle has
none. With fork, the default on Linux up to Python 3.13, a dataset needs no pickling, so the same program
works there and fails on Windows, macOS or in a notebook.

Cure: functions at the top level of a module, `functools.partial` instead of a lambda; open files and
connections in the worker, on first use.

Bad:

```python
import torch

double = lambda x: 2 * x
torch.save({"transform": double}, "settings.pt")  # seen: a lambda has no name to store
```

Good:

```python
import torch

torch.save({"scale": 2}, "settings.pt")
```

Message (Python 3.11, DataLoader on Windows):

```text
AttributeError: Can't pickle local object 'make_loader.<locals>.<lambda>'
```

Message (Python 3.14):

```text
_pickle.PicklingError: Can't pickle local object <function train.<locals>.collate at 0x7f6f4c1d2340>
```

Message (Python 3.11, a generator):

```text
TypeError: cannot pickle 'generator' object
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Can't (?:pickle|get) local object (?:<function )?'?(?P<what>[\w.<>]{1,200})",
    r"Can't pickle (?P<what><function .{1,200}?>): (?:attribute lookup|it's not|import of)",
    r"cannot pickle '(?P<what>generator|module|_thread\.\w+|weakref\.\w+|weakref)' object",
    odds=0.9,
)
def without_a_name(failure: Failure) -> Hits:
    what = failure.groups["what"].rpartition(".")[2].strip("<>'") or "it"
    yield failure.hit(
        f"`{what}` cannot be sent to another process or file: functions at the top level of a module can"
    )
