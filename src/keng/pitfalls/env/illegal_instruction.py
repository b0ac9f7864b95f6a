r"""The processor lacks an instruction that a library was compiled with.

"Illegal instruction" is no exception: the system ends the process at the first instruction that the processor does not know, mostly
at `import torch` or `import numpy`. PyTorch's wheels since 1.6 want AVX, which processors of before 2011, small ones (Celeron, Atom) and
virtual machines with a plain processor model lack. Some wheels for ARM (those of 1.13 and 2.6, the one of 2.0.0 from PyTorch's own index) were compiled for
newer processors than that of a Raspberry Pi 4. On the boards of the Jetson family it is most often the OpenBLAS of NumPy 1.19.5,
which takes their processor for another.

Cure: on a Jetson `export OPENBLAS_CORETYPE=ARMV8`, or another NumPy than 1.19.5; in a virtual machine pass the host's processor model through
(`-cpu host`); on a Raspberry Pi another release of torch; on an old processor PyTorch 1.5.1, or one that is built there. `python -X faulthandler -c "import torch"` tells in
which import it happens.

Bad:

```python
import os
import signal

os.kill(os.getpid(), signal.SIGILL)
```

Good:

```python
import torch

x = torch.ones(3)
```

Message (Ubuntu; `OPENBLAS_CORETYPE`):

```text
Illegal instruction (core dumped)
```

Message (a shell, with the board told beside it; `Raspberry Pi 4`):

```text
import torch on my raspberry pi 4 with 64 bits says
Illegal instruction
```

Message (zsh):

```text
zsh: illegal hardware instruction (core dumped)  python predict.py
```

Message (gdb):

```text
Program received signal SIGILL, Illegal instruction.
0x00007fffe9076f17 in _GLOBAL__sub_I_BinaryOpsKernel.cpp.AVX2.cpp () from /home/j/src/pytorch/torch/lib/libtorch_cpu.so
```

Message (Windows, as PyCharm tells it):

```text
Process finished with exit code -1073741795 (0xC000001D)
```

Sources: https://github.com/numpy/numpy/issues/18131, https://github.com/pytorch/pytorch/issues/37577,
https://github.com/pytorch/pytorch/issues/43551, https://github.com/pytorch/pytorch/issues/2714,
https://github.com/pytorch/pytorch/issues/97226, https://github.com/pytorch/pytorch/issues/90535,
https://github.com/pytorch/pytorch/issues/146792
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="another processor")

BOARD = re.compile(r"\b[Rr]asp(?:berry|i)|\bRPi ?\d|\bCortex-A\d\d|\b(?:Orange|Banana|Rock) ?Pi\b")


@pitfall.explains(
    r"[Ii]llegal (?:hardware )?instruction(?: \(core dumped\)|\s{1,4}\(core dumped\)|\.|: \d|$)",
    odds=0.8,
)
def ended_by_the_system(failure: Failure) -> Hits:
    if BOARD.search(f"{failure.message} {failure.told}"):
        yield failure.hit(
            "a library was compiled for newer ARM processors than this one, as some wheels of torch are for a Raspberry Pi 4: another release of it, or one that is built there"
        )
        return
    yield failure.hit(
        "the processor does not know an instruction of a library: OPENBLAS_CORETYPE=ARMV8 on a Jetson; AVX is wanted elsewhere",
        sure=False,
    )


@pitfall.explains(
    r"\b0xC000001D\b|\bexit code -1073741795\b|returned non-zero exit status 3221225501\b",
    odds=0.95,
)
def ended_by_windows(failure: Failure) -> Hits:
    yield failure.hit(
        "the processor does not know an instruction of a library, as Windows tells by 0xC000001D: AVX is wanted"
    )
