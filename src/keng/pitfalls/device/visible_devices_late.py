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

Proof:

```python
assert x.is_cuda  # where there is but one card, too: the first
```

Bad (in a function):

```python
import os

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu  # here: the device above has started CUDA
    return torch.ones(3, device=device)


x = main("1")
```

Proof:

```python
assert x.is_cuda
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

Machine (the last of two cards is not reached: `no comma after 0`):

```toml
[files]
"/dev/nvidia0" = ""
"/dev/nvidia1" = ""
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: NVIDIA L4\nDevice Minor: 0\n"
"/proc/driver/nvidia/gpus/0000:02:00.0/information" = "Model: NVIDIA L4\nDevice Minor: 1\n"
[environment]
CUDA_VISIBLE_DEVICES = "0 1"
```

Machine (PyTorch's name of a card: `is no number`):

```toml
[files]
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: NVIDIA L4\nDevice Minor: 0\n"
[environment]
CUDA_VISIBLE_DEVICES = "cuda:0"
```

Machine (`names a card twice`):

```toml
[files]
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: NVIDIA L4\nDevice Minor: 0\n"
[environment]
CUDA_VISIBLE_DEVICES = "0,0"
```

Machine (the name of a card that was replaced: `GPU-1b2c`):

```toml
[files]
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: NVIDIA L4\nGPU UUID: GPU-8a3f41d0-0000-0000-0000-000000000001\nDevice Minor: 0\n"
[environment]
CUDA_VISIBLE_DEVICES = "GPU-1b2c"
```

Sound (the beginning of a card's name is enough; and what follows is not looked at):

```toml
[files]
"/dev/nvidia0" = ""
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: NVIDIA L4\nGPU UUID: GPU-8a3f41d0-0000-0000-0000-000000000001\nDevice Minor: 0\n"
[environment]
CUDA_VISIBLE_DEVICES = "GPU-8a3f"
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

import re

from keng.env.machine import Machine
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")
pitfall.breaks("no-nvidia-driver", "cuda-missing-at-load", "map-location-missing")

VARIABLE = "CUDA_VISIBLE_DEVICES"
NONE = ("", "-1", "none", "void", "nodevfiles")
"""What is set to have no card, often on purpose; the last by Slurm."""


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
def hides_all(machine: Machine) -> Hits:
    value, cards = machine.variable(VARIABLE).strip(), machine.cards
    if cards and VARIABLE in machine.environment and value.lower() in NONE:
        yield machine.hit(
            f"`{VARIABLE}` hides all cards: each is hidden from PyTorch",
            f"unset {VARIABLE}",
            {f"${VARIABLE}": value or "empty", cards[0].file: f"{len(cards)} cards"},
            sure=False,
        )


@pitfall.probes
def names_what_is_not_there(machine: Machine) -> Hits:
    value, cards, read = machine.variable(VARIABLE), machine.cards, machine.cards_named
    unread = value.split(",")[len(read) :][:1]
    beyond = next((number for number in read if number >= len(cards)), None)
    if not cards or value.strip().lower() in NONE:
        return
    named, names = value.split(",")[0].strip(), [card.name for card in cards]
    known = all(re.fullmatch(r"GPU-[0-9a-f-]{36}", name) for name in names)
    if beyond is not None:
        says = f"names card {beyond}, and there are {len(cards)}, from 0"
    elif known and named.startswith("GPU-") and not any(n.startswith(named) for n in names):
        says = f"has `{named}`, which is the name of no card here"
    elif unread and not unread[0].strip().startswith(("GPU-", "MIG-")):
        says = f"has `{unread[0].strip()}`, which is no number"
    else:
        return
    yield machine.hit(
        f"`{VARIABLE}` {says}: it and all after it are hidden from PyTorch",
        f"unset {VARIABLE}",
        {f"${VARIABLE}": value, cards[0].file: f"{len(cards)} cards"},
    )


@pitfall.probes
def names_one_for_two(machine: Machine) -> Hits:
    value, cards, read = machine.variable(VARIABLE), machine.cards, machine.cards_named
    joined = re.search(r"(\d+) +\d", value)
    if joined:
        says = f"has no comma after {joined[1]}: CUDA reads that number, and the next are hidden"
    elif len(set(read)) < len(read):
        says = "names a card twice: CUDA then shows none"
    else:
        return
    if cards:
        seen = {f"${VARIABLE}": value, cards[0].file: f"{len(cards)} cards"}
        yield machine.hit(f"`{VARIABLE}` {says}", f"unset {VARIABLE}", seen)
