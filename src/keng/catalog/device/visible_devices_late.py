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

Machine (no such card: `names card 2, and there are 2, from 0`):

```toml
[environment]
CUDA_VISIBLE_DEVICES = "0,2"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA A100-SXM4-80GB\nDevice Minor: \t 0\n"
"/proc/driver/nvidia/gpus/0000:41:00.0/information" = "Model: \t\t NVIDIA A100-SXM4-80GB\nDevice Minor: \t 1\n"
"/dev/nvidia0" = ""
"/dev/nvidia1" = ""
```

Machine (not sure, as one may mean it: `hides all cards`):

```toml
[environment]
CUDA_VISIBLE_DEVICES = "-1"
[files]
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA A100-SXM4-80GB\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
```

Sound (cards that are there; by their names; a part of a card):

```toml
[environment]
CUDA_VISIBLE_DEVICES = "1, GPU-8a3f, MIG-7c1d"
[files]
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA A100-SXM4-80GB\nDevice Minor: \t 0\n"
"/proc/driver/nvidia/gpus/0000:41:00.0/information" = "Model: \t\t NVIDIA A100-SXM4-80GB\nDevice Minor: \t 1\n"
"/dev/nvidia0" = ""
"/dev/nvidia1" = ""
```

Sound (no card is known here, so none is missed):

```toml
[environment]
CUDA_VISIBLE_DEVICES = "0,1,2,3"
```
"""

from keng.machine import Machine
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


@pitfall.probes
def names_what_is_not_there(machine: Machine) -> Hits:
    value = machine.variable("CUDA_VISIBLE_DEVICES").strip()
    cards, named = machine.cards, [word.strip() for word in value.split(",")]
    beyond = [word for word in named if word.isdecimal() and int(word[:9]) >= len(cards)]
    hidden = value == "-1" or (not value and "CUDA_VISIBLE_DEVICES" in machine.environment)
    if not cards or not (beyond or hidden):
        return
    says = f"names card {beyond[0]}, and there are {len(cards)}, from 0" if beyond else ""
    yield machine.hit(
        f"`CUDA_VISIBLE_DEVICES` {says or 'hides all cards'}: "
        f"{'it and all after it are' if beyond else 'each is'} hidden from PyTorch",
        "unset CUDA_VISIBLE_DEVICES",
        {"$CUDA_VISIBLE_DEVICES": value or "empty", cards[0].file: f"{len(cards)} cards"},
        sure=bool(beyond),
    )
