r"""The user of a container has no name, and PyTorch asks for it.

The folder in which compiled kernels are kept is called after the user, `/tmp/torchinductor_NAME`. In a container that was started with a bare
number, `docker run --user 1000`, nothing in `/etc/passwd` has that number, and Python's `getpass.getuser()` raises. It comes up as
late as the first compile, an export, or an import of what asks for the folder.

Cure: `-e USER=me -e LOGNAME=me`, or `-e TORCHINDUCTOR_CACHE_DIR=/tmp/cache`; else a user in the image, `RUN useradd -u 1000 me`.

Bad:

```python
import os

for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
    os.environ.pop(name, None)
from torch._inductor.runtime.cache_dir_utils import default_cache_dir

default_cache_dir()
```

Good:

```python
import os

os.environ["USER"] = "me"
from torch._inductor.runtime.cache_dir_utils import default_cache_dir

default_cache_dir()
```

Message (torch 2.0 to 2.13; `1000`):

```text
KeyError: 'getpwuid(): uid not found: 1000'
```

Message (torch 2.5 to 2.13, of an export; `501`):

```text
torch.onnx._internal.exporter._errors.TorchExportError: Failed to export the model with torch.export. This is step 1/3 of exporting the model to ONNX.

## Exception summary

<class 'KeyError'>: 'getpwuid(): uid not found: 501'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a user without a name")


@pitfall.explains(r"getpwuid\(\): uid not found: (?P<user>\d+)", odds=0.9)
def number_alone(failure: Failure) -> Hits:
    torchs = any("torch" in frame.path for frame in failure.frames)
    if torchs or not failure.frames:
        yield failure.hit(
            f"user {failure.groups['user']} has no name here, after which torch calls its cache: USER=me, or TORCHINDUCTOR_CACHE_DIR"
        )
