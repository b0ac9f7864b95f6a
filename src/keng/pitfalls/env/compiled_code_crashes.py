r"""The process ends inside of compiled code, and Python says nothing.

What C++ or a driver does wrong raises no exception: the system ends the process with a signal or, under Windows, with a number such as
0xC0000005. With PyTorch it is most often an extension or a package that was compiled for another version, two copies of OpenMP, CUDA or
another library in one process, an index out of range in somebody's own kernel, or a driver that does not fit the card.

Cure: `python -X faulthandler train.py` names the line; a fresh environment from one index, extensions built anew; `import torch` before the
library that crashes, or after it; the CPU or another driver tells whether the card is at fault; in a DataLoader `num_workers=0`.

Bad:

```python
import ctypes

import torch

x = torch.ones(4)
ctypes.string_at(x.data_ptr() + 2**40)
```

Good:

```python
import faulthandler

faulthandler.enable()  # names the line of Python in which a crash came
```

Message (Linux; `faulthandler`):

```text
Segmentation fault (core dumped)
```

Message (Python's faulthandler; `faulthandler`):

```text
Fatal Python error: Segmentation fault
```

Message (Linux, when it is imported; `LD_LIBRARY_PATH`):

```text
segmentation fault while import torch
```

Message (ROCm; `a card that ROCm does not support`):

```text
With an RX 580 and ROCm 3.3:
Segmentation fault (core dumped)
```

Message (Linux, with the code beside it; `num_workers=0`):

```text
import torch
res = torch.tensor([0.5]).cuda() ** 2
Segmentation fault (core dumped)
```

Message (zsh on a Mac; `faulthandler`):

```text
zsh: segmentation fault  python train.py
```

Message (Windows, Python's faulthandler; `access violation`):

```text
Windows fatal exception: access violation

Current thread 0x00002a50 (most recent call first):
  File "C:\env\lib\site-packages\torch\autograd\__init__.py", line 98 in backward
```

Message (PyCharm, Windows; `-1073741819`):

```text
Attempting to train on a GPU: Process finished with exit code -1073741819 (0xC0000005)
```

Message (PyCharm, Linux; `exit code 139`):

```text
training ends: Process finished with exit code 139 (interrupted by signal 11: SIGSEGV)
```

Message (Windows, a launcher; `3221225477`):

```text
subprocess.CalledProcessError: Command '['python.exe', 'train_network.py']' returned non-zero exit status 3221225477.
```

Message (Android):

```text
A/libc: Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid 11805 (demo_app), pid 11805 (demo_app)
```
"""

import re

from keng.explain.advice.libraries import of_a_crash
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a process that may crash")

TORCHS = re.compile(r"(?i)torch|cuda|\bGPU|\btrain|accelerate")
"""An exit code alone is any program's."""


@pitfall.explains(
    r"(?:^|\W)(?:[Ss]egmentation fault|SIGSEGV)(?=[:\s(.]|$)|Fatal signal 11 \(SIGSEGV\)",
    r"Windows fatal exception: (?P<what>access violation)",
    odds=0.45,
)
def memory_of_another(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    named = f" ({what})" if what else ""
    yield failure.hit(
        f"compiled code reads memory that is not its own{named}: {of_a_crash(failure)}"
    )


@pitfall.explains(
    r"(?P<code>exit code 139|exit(?:ed with)? (?:code|status) (?:-1073741819|3221225477))",
    r"(?P<code>0x[Cc]0000005)",
    odds=0.45,
)
def code_of_a_crash(failure: Failure) -> Hits:
    if TORCHS.search(failure.message):
        yield failure.hit(
            f"{failure.groups['code']} is a crash inside compiled code or the driver: python -X faulthandler names the line; a driver or package "
            "that does not fit"
        )
