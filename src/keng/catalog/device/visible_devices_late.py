r"""CUDA_VISIBLE_DEVICES is set after CUDA has started.

CUDA reads the variable once, when the process first touches it, and that is sooner than it seems:
`torch.cuda.is_available()` is enough. What is set afterwards is ignored without a word, and the program
runs on the cards that it was to leave alone. The cards that remain are numbered from 0; an empty value
or -1 hides them all, and an unknown number hides that one and all after it.

Cure: set it in the shell, `CUDA_VISIBLE_DEVICES=1 python train.py`, or as the first lines of the
program, before torch is imported.

Bad:

```python
import os

import torch

print(torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # here: CUDA has started a line above
x = torch.ones(3, device="cuda")
```

Bad (in a function):

```python
import os

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu  # here: the device above has started CUDA
    return torch.ones(3, device=device)


main("1")
```

Good:

```python
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, device=device)
```

Fine (torch alone does not start CUDA; another function; one of two ways):

```python
import os
import sys

import torch


def probe():
    return torch.ones(3, device="cuda")


os.environ["CUDA_VISIBLE_DEVICES"] = "0"
if len(sys.argv) > 5:
    print(torch.cuda.is_available())
else:
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
```

Fine (for the processes that are started):

```python
import os
import subprocess
import sys

import torch

print(torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
subprocess.run([sys.executable, "-c", "pass"], check=True)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.finds
def set_after_the_start(code: Code) -> Hits:
    for assign in code.environment_sets("CUDA_VISIBLE_DEVICES"):
        started = code.starts_cuda_before(assign)
        if started is None or code.starts_processes():
            continue
        line = code.line_of(started)
        says = f"set after line {line} has started CUDA, so it has no effect"
        yield code.hit(assign, says, started=code.text_of(started.func))
