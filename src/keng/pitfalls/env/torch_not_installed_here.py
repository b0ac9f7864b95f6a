r"""PyTorch, torchvision or torchaudio is not installed in the Python that runs.

A machine has several Pythons: the system's, an environment's, the one of a notebook's kernel, that of `sudo` or
of an editor. `pip` may belong to another one than `python`. A package that asks for torch while it is built
(flash-attn, apex, detectron2, older extensions) is built in a fresh environment that has none. `torchvision` and
`torchaudio` are packages of their own, each version of which goes with one of torch. A command as `torchrun` or
`accelerate` is a file of one environment: a batch job, a container or another shell that has not activated it does not
find it.

Cure: `python -m pip install torch` with the very Python that runs, see `sys.executable`; for a package that is
being built `pip install --no-build-isolation PACKAGE` after torch is there.

Bad:

```python
import torch

print(torch.__version__)
```

Good:

```python
import sys

print(sys.executable)
```

Message (no torch; `sys.executable`):

```text
Traceback (most recent call last):
  File "train.py", line 1, in <module>
    import torch
ModuleNotFoundError: No module named 'torch'
```

Message (a package that is being built; `--no-build-isolation`):

```text
  File "<string>", line 22, in <module>
  File "/tmp/pip-install-x1/flash-attn_3d/setup.py", line 13, in <module>
    import torch
ModuleNotFoundError: No module named 'torch'
```

Message (no torchaudio; `torchaudio`):

```text
  File "ComfyUI\custom_nodes\anynode\nodes\any.py", line 16, in <module>
    import os, json, random, torch, torchaudio
ModuleNotFoundError: No module named 'torchaudio'
```

Message (auto-gptq, while pip builds it; `--no-build-isolation`):

```text
  Getting requirements to build wheel ... error
  error: subprocess-exited-with-error
  Building cuda extension requires PyTorch (>=1.13.0) being installed, please install PyTorch first: No module named 'torch'
```

Message (transformers; `BertModel`):

```text
ImportError:
 BertModel requires the PyTorch library but it was not found in your environment. Checkout the instructions on the
 installation page: https://pytorch.org/get-started/locally/ and follow the ones that match your environment.
```

Message (of a shell; `torch.distributed.run`):

```text
bash: torchrun: command not found
```

Message (of zsh; `torch.distributed.run`):

```text
zsh: command not found: torchrun
```

Message (of Windows; `torch.distributed.run`):

```text
'torchrun' is not recognized as an internal or external command,
operable program or batch file.
```

Message (Slurm; `accelerate_cli`):

```text
slurmstepd: error: execve(): accelerate: No such file or directory
srun: error: node7: task 0: Exited with exit code 2
```

Message (of Debian's shell; `deepspeed.launcher.runner`):

```text
train.sh: 4: deepspeed: not found
```

Message (Docker; `has no such package`):

```text
docker: Error response from daemon: failed to create task for container: exec: "vllm": executable file not found in $PATH: unknown.
```

Message (PowerShell; `torch.distributed.run`):

```text
torchrun : The term 'torchrun' is not recognized as the name of a cmdlet, function, script file, or operable program.
```

Message (env; `torch.distributed.run`):

```text
/usr/bin/env: ‘torchrun’: No such file or directory
```

Message (pip of Debian, Ubuntu and Homebrew; `venv`):

```text
$ pip install torch
error: externally-managed-environment

× This environment is externally managed
```

Message (transformers 4; `PyTorch`):

```text
None of PyTorch, TensorFlow >= 2.0, or Flax have been found. Models won't be available and only tokenizers, configuration and file/data utilities can be used.
```

Message (transformers 4 and 5; `2.2.2`):

```text
Disabling PyTorch because PyTorch >= 2.4 is required but found 2.2.2
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.commands import COMMAND, not_on_the_path

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a Python without torch")

BUILT = re.compile(
    r"Getting requirements to build|Preparing metadata|Building \w+ extension requires PyTorch|pip-build-env"
)
"""What pip says where it builds a package, in an environment of its own."""


@pitfall.explains(r"No module named '?(?P<what>torch(?:vision|audio)?)'?(?![.\w])", odds=0.9)
def not_here(failure: Failure) -> Hits:
    what = failure.groups["what"]
    building = any("setup.py" in frame.path or "pip-" in frame.path for frame in failure.frames)
    if building or BUILT.search(f"{failure.message}\n{failure.around}"):
        says = "the package is built where torch is not: install torch first, then pip install --no-build-isolation"
        yield failure.hit(says)
    elif what == "torch":
        yield failure.hit(
            "the Python that runs (sys.executable) has no torch: activate the environment or kernel that has it, or python -m pip install torch with that one"
        )
    else:
        yield failure.hit(
            f"the Python that runs has no {what}: python -m pip install it there (sys.executable) from where torch came, in the version that goes with it"
        )


@pitfall.explains(
    rf"(?:^|[\s:]){COMMAND}: command not found",
    rf"sh: (?:(?:line )?\d{{1,5}}: )?{COMMAND}: not found",
    rf"command not found: {COMMAND}(?![\w.-])",
    rf"'{COMMAND}' is not recognized",
    rf"(?:execve\(\): (?:\S{{1,200}}/)?|env: ['‘]|failed to run command ['‘]){COMMAND}['’]?: No such file",
    rf"exec: \"?{COMMAND}\"?: (?:executable file )?not found",
    odds=0.95,
)
def launcher_not_on_the_path(failure: Failure) -> Hits:
    yield failure.hit(not_on_the_path(failure.groups["what"]))


@pitfall.explains(
    r"(?P<what>\w{2,80}) requires the PyTorch library but it was not found in your environment",
    odds=0.93,
)
def told_by_transformers(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} needs PyTorch, which is not there for this interpreter, or older than this transformers "
        "takes: `python -m pip install torch`, then restart the kernel"
    )


@pitfall.explains(r"externally-managed-environment", odds=0.93)
def system_takes_none(failure: Failure) -> Hits:
    if failure.beside_torch:
        yield failure.hit(
            "the system's Python takes no packages from pip: python3 -m venv env, then env/bin/pip install torch"
        )


@pitfall.explains(
    r"Disabling PyTorch because PyTorch >= (?P<wants>[\d.]{1,9}\d) is required but found (?P<has>[\w.+]{1,40})",
    odds=0.97,
)
def older_than_transformers_takes(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(
        f"torch is {has}, and this transformers goes on as if there were none, as it takes {wants} or newer: pip install -U torch, or an older transformers"
    )


@pitfall.explains(
    r"(?:None of PyTorch, TensorFlow >= 2\.0, or Flax have been|PyTorch was not) found\. Models won't be available",
    odds=0.95,
)
def none_for_transformers(failure: Failure) -> Hits:
    yield failure.hit(
        "transformers finds no PyTorch that it takes in this Python, so that its models are missing: python -m pip install -U torch, then restart"
    )
