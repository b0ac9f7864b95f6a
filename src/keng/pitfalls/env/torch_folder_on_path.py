r"""Python looks for its own modules in the folder of torch.

`torch` has files called `random.py`, `types.py`, `signal`, as Python has. Where a program is started inside of the folder `torch`, or `PYTHONPATH` or `sys.path` names that folder and not
the one above it, Python takes these for its own, and fails at the first import of them, mostly while it starts.

Cure: `cd` to another folder; `PYTHONPATH` and `sys.path` with the folder that holds `torch`, `.../site-packages`, or without it.

Bad:

```python
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(torch.__file__))
del sys.modules["random"]
from random import Random  # seen: `random.py`
```

Good:

```python
from random import Random

import torch

draws = Random(0)
```

Message (Python 3.7; `random.py`):

```text
Traceback (most recent call last):
  File "/env/lib/python3.7/site-packages/torch/serialization.py", line 10, in <module>
    import tempfile
  File "/env/lib/python3.7/tempfile.py", line 45, in <module>
    from random import Random as _Random
ImportError: cannot import name 'Random' from 'random' (/env/lib/python3.7/site-packages/torch/random.py)
```

Message (Python 3.9 to 3.12; `types.py`):

```text
ImportError: cannot import name 'GenericAlias' from partially initialized module 'types' (most likely due to a circular import) (C:\env\Lib\site-packages\torch\types.py)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"cannot import name '\w+' from (?:partially initialized module )?'(?P<name>\w+)' .{0,60}?\(.{1,300}?[\\/](?:torch|torchvision)[\\/](?P=name)(?:[\\/]__init__)?\.py\)",
    odds=0.97,
)
def found_in_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"torch's own {name}.py is imported in place of Python's: the program starts in the folder of torch, or sys.path names it"
    )
