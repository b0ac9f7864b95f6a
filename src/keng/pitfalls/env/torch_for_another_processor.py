r"""What is loaded was compiled for another processor or Python.

A library holds machine code for one kind of processor. On a Mac of Apple's a terminal or Python that runs under Rosetta installs packages for Intel
(`x86_64`), and a Python for `arm64` cannot load them, nor the other way round; a folder that is copied from a PC to a board, or an image of
`linux/amd64` on one, holds what its processor does not know; a Python of 32 bits loads no library of 64. A library that was compiled for
another Python asks for names that this one lacks, as `PyObject_CallOneArg`, which came with 3.9.

Cure: `python -c "import platform; print(platform.machine())"` and `file` on the library that is named; a Python for this processor (a fresh
environment, on a Mac by `CONDA_SUBDIR=osx-arm64` or a terminal without Rosetta), and every compiled package installed anew in it; `docker run
--platform` as the machine.

Bad:

```python
import torch

x = torch.ones(3)
```

Good:

```python
import platform

print(platform.machine(), platform.architecture()[0])
```

Message (a Mac of Apple's, with packages for Intel; `x86_64`):

```text
ImportError: dlopen(/env/lib/python3.9/site-packages/torch/_C.cpython-39-darwin.so, 0x0002): tried: '/env/lib/python3.9/site-packages/torch/_C.cpython-39-darwin.so' (mach-o file, but is an incompatible architecture (have 'x86_64', need 'arm64e'))
```

Message (macOS before 12; `another kind`):

```text
ImportError: dlopen(/env/lib/python3.9/site-packages/torchvision/image.so, 6): no suitable image found.  Did find:
        /env/lib/python3.9/site-packages/torchvision/image.so: mach-o, but wrong architecture
```

Message (Linux, a Python of 32 bits):

```text
ImportError: /env/lib/python3.7/site-packages/torch/_C.cpython-37m-x86_64-linux-gnu.so: wrong ELF class: ELFCLASS64
```

Message (another Python than it was compiled for, or its copy of torch first in LD_LIBRARY_PATH; `PyObject_CallOneArg`):

```text
ImportError: /opt/conda/envs/pytorch-2.1.1/lib/python3.11/site-packages/torch/lib/libtorch_python.so: undefined symbol: PyObject_CallOneArg
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="another processor")


@pitfall.explains(
    r"torch\S{0,200}?.{0,60}?incompatible architecture \(have '(?P<has>\w+)', need '(?P<needs>\w+?)e?'\)",
    r"[/\\]torch\S{0,200}?: (?:mach-o, but wrong architecture|wrong ELF class|cannot execute binary file)",
    odds=0.95,
)
def other_processor(failure: Failure) -> Hits:
    has, needs = failure.groups.get("has"), failure.groups.get("needs")
    kinds = (
        f"for {has}, and this Python runs as {needs}" if has else "for another kind of processor"
    )
    yield failure.hit(
        f"what is installed is compiled {kinds}: a Python for this processor in a fresh environment, and the packages anew"
    )


@pitfall.explains(
    r"[/\\]libtorch_python\.so: undefined symbol: (?P<name>_?Py[A-Z]\w+)",
    odds=0.9,
)
def other_python(failure: Failure) -> Hits:
    yield failure.hit(
        f"PyTorch was compiled for another Python, as this one has no `{failure.groups['name']}`: install it with the Python that runs, and no other copy in LD_LIBRARY_PATH"
    )
