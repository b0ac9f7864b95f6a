r"""Processes are started by `torch.distributed.launch`.

The old launcher hands each process its number as an argument, `--local_rank` up to PyTorch 1.13 and `--local-rank` since
2.0, and so a script that knows only one of them ends with "unrecognized arguments" under the other. `torchrun`, its
successor since 1.10, sets `LOCAL_RANK`, `RANK` and `WORLD_SIZE` in the environment and adds no argument.

Cure: start with `torchrun --nproc-per-node=N train.py` and read `int(os.environ["LOCAL_RANK"])`.

Bad:

```python
import argparse

parser = argparse.ArgumentParser(description="torch")
parser.add_argument("--local_rank", type=int, default=0)  # here: `LOCAL_RANK`
args = parser.parse_args([])
```

Proof:

```python
try:
    parser.parse_args(["--local-rank=0"])
except SystemExit as end:
    assert end.code == 2
else:
    raise AssertionError("understood")
```

Bad (started from Python):

```python
import subprocess
import sys

launcher = [sys.executable, "-m", "torch.distributed.launch", "--help"]  # here: `torchrun`
done = subprocess.run(launcher, capture_output=True, text=True)
```

Proof:

```python
assert "torch.distributed.launch is deprecated" in done.stderr
```

Good:

```python
import os

import torch

os.environ.setdefault("LOCAL_RANK", "0")
local_rank = int(os.environ["LOCAL_RANK"])
```

Fine (both spellings; the environment first; another program's argument):

```python
import argparse
import os

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--local-rank", "--local_rank", type=int, default=0)
args = parser.parse_args([])


def options():
    other = argparse.ArgumentParser()
    other.add_argument("--local_rank", type=int, default=int(os.environ.get("LOCAL_RANK", 0)))
    return other


print("instead of torch.distributed.launch use torchrun")
```

Message (torch 2.0 to 2.13):

```text
usage: train.py [-h] [--local_rank LOCAL_RANK]
train.py: error: unrecognized arguments: --local-rank=0
```

Message (torch 1.10 to 2.13):

```text
/opt/venv/lib/python3.11/site-packages/torch/distributed/launch.py:208: FutureWarning: The module torch.distributed.launch is deprecated
and will be removed in future. Use torchrun.
Note that --use-env is set by default in torchrun.
```

Message (an argparse of the program; `torchrun`):

```text
train.py: error: the following arguments are required: --local_rank
```

Message (torch 1.8 and before; `torch.distributed.launch`):

```text
/usr/bin/python: No module named torch.distributed.run
```

Message (torch.distributed.run given the launcher's options; `--use_env`):

```text
torchrun: error: unrecognized arguments: --use_env
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def rank_as_an_argument(code: Code) -> Hits:
    for call in code.method_calls("add_argument"):
        names = {code.text_constant(given) for given in call.args}
        default = code.argument(call, "default")
        asks = default is not None and "LOCAL_RANK" in code.text_of(default)
        if names == {"--local_rank"} and not asks and not code.reads_environment("LOCAL_RANK"):
            says = "launchers since torch 2.0 say --local-rank, and torchrun sets LOCAL_RANK"
            yield code.hit(call, says)


@pitfall.finds
def launched_from_python(code: Code) -> Hits:
    for text in code.started_modules("torch.distributed.launch"):
        yield code.hit(text, "torch.distributed.launch has given way to torchrun")


@pitfall.explains(r"unrecognized arguments: --local[-_]rank", odds=0.97)
def spelled_otherwise(failure: Failure) -> Hits:
    yield failure.hit(
        "the launcher adds this argument, which the program lacks or spells otherwise: torchrun adds none and sets LOCAL_RANK; or "
        "add_argument('--local-rank', '--local_rank', type=int)"
    )


@pitfall.explains(r"The module torch\.distributed\.launch is deprecated", odds=0.97)
def warned(failure: Failure) -> Hits:
    yield failure.hit("start with torchrun, and read LOCAL_RANK from the environment")


pitfall.answers(
    {
        "the following arguments are required: --local_rank": "the program asks its launcher for --local_rank, which torchrun does not give: read LOCAL_RANK from the environment",
        "No module named torch.distributed.run": "torch.distributed.run came with 1.9: python -m torch.distributed.launch --use_env, or a newer PyTorch",
        "unrecognized arguments: --use_env": "--use_env is of torch.distributed.launch, and torchrun always does so: leave it out",
    },
    odds=0.95,
)
