r"""A companion, such as torchvision or an extension, was built for another PyTorch.

Compiled packages fit exactly one version of PyTorch: its symbols change with every release. pip exchanges
one of them and leaves the other, a CPU build stands beside a CUDA build, or an extension such as
flash-attn was built before PyTorch was updated.

Cure: install them together, `pip install torch torchvision` in one command from one index; reinstall an
extension, `pip install --no-build-isolation --force-reinstall PACKAGE`, after PyTorch.

Bad:

```python
import torchvision  # seen: fails where it was built for another PyTorch

torchvision.ops.nms(0, 0, 0)
```

Good:

```python
import torch

print(torch.__version__)
```

Message (torch 2.1, torchvision 0.15; `torchvision`):

```text
RuntimeError: operator torchvision::nms does not exist
```

Message (torch 2.0, torchvision without CUDA):

```text
NotImplementedError: Could not run 'torchvision::nms' with arguments from the 'CUDA' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process
```

Message (torch 2.0):

```text
RuntimeError: Couldn't load custom C++ ops. This can happen if your PyTorch and torchvision versions are incompatible, or if you had errors while compiling torchvision from source.
```

Message (torch 1.12, PyTorch and torchvision of two CUDA versions):

```text
RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA versions. PyTorch has CUDA Version=11.6 and torchvision has CUDA Version=11.3. Please reinstall the torchvision that matches your PyTorch install.
```

Message (torch 2.4, flash-attn built for 2.3; `flash_attn_2_cuda`):

```text
ImportError: /opt/venv/lib/python3.10/site-packages/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
```

Message (torch 2.0, an extension built for 1.10):

```text
ImportError: libtorch_cuda_cu.so: cannot open shared object file: No such file or directory
```
"""

import re

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="packages for another torch")


@pitfall.explains(
    r"operator (?P<name>torchvision|torchaudio)::\w+ does not exist",
    r"Could not run '(?P<name>torchvision)::\w+' with arguments from the 'CUDA' backend",
    r"Couldn't load custom C\+\+ ops\. .{1,120}PyTorch and (?P<name>torchvision) versions",
    r"Detected that PyTorch and (?P<name>\w+) were compiled with different CUDA",
    odds=0.95,
)
def companion_of_another_torch(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` was built for another PyTorch: install both in one command, from one index"
    )


@pitfall.explains(
    r"(?P<file>[\w./+-]{1,200}\.(?:so|pyd))\S{0,20}: undefined symbol: (?P<symbol>_ZN\w{0,20}(?:c10|at\d|torch)\w{1,200})",
    r"(?P<file>libtorch\w*\.so|libc10\w*\.so): cannot open shared object file",
    odds=0.9,
)
def extension_of_another_torch(failure: Failure) -> Hits:
    name = re.split(r"\.cpython|\.abi3|\.so", failure.groups["file"].rpartition("/")[2])[0]
    what = "an extension" if name.startswith("lib") else f"`{name}`"
    yield failure.hit(
        f"{what} was built for another PyTorch: reinstall it, built against the one that is here"
    )
