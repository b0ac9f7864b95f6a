r"""The file of a model is not where it is looked for.

A relative path is looked for in the folder where the program was started, which an editor, a service or a notebook chooses by itself. `torch.jit.load` and the C++ loader tell it in words of their own.

Cure: `os.path.abspath(path)` and `os.getcwd()` show where it is looked for; a path from `Path(__file__).parent`; for a file that a download should have brought, look whether it did.

Bad:

```python
import torch

model = torch.jit.load("no_such_model.pt")
```

Good:

```python
import tempfile
from pathlib import Path

import torch

path = Path(tempfile.mkdtemp()) / "model.pt"
torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), path)
model = torch.jit.load(path)
```

Message (torch 1.8 to 2.13; `model.pt`):

```text
RuntimeError: open file failed because of errno 2 on fopen: No such file or directory, file path: model.pt
```

Message (libtorch 1.0 to 1.12; `model.pt`):

```text
terminate called after throwing an instance of 'c10::Error'
  what():  open file failed, file path: model.pt
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"The provided filename (?P<path>.{1,300}?) does not exist",
    r"open file failed(?: because of errno 2 on fopen: No such file or directory)?, file path: (?P<path>\S{1,300})",
    odds=0.96,
)
def not_there(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no `{failure.groups['path']}`, or it may not be read: os.path.abspath and os.getcwd() show where it is looked for"
    )
