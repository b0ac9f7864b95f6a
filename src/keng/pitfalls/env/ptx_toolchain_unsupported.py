r"""A kernel was compiled by a CUDA newer than the driver.

Kernels are shipped as machine code for some cards and as PTX, which the driver compiles for the others.
A driver understands only the PTX of its own CUDA version and of those before. So an extension, Triton
or a library built with a newer toolkit fails, though PyTorch itself runs, as its own code needs no
compiling.

PyTorch compiles an extension for the cards that it sees and adds PTX for newer ones, so that it does not
fail where it was built.

Cure: update the driver, or build with the toolkit that `nvidia-smi` names as CUDA version, or for the
card's own architecture (`TORCH_CUDA_ARCH_LIST="8.6"`), so that no PTX is needed.

Bad (an extension built with a newer toolkit):

```python
import torch

source = "template <typename T> T twice(T x) { return x + x; }"
twice = torch.cuda.jiterator._create_jit_fn(source)
y = twice(torch.ones(4, device="cuda"))
```

Good:

```python
import torch

x = torch.ones(4)
y = x + x
```

Message (torch 1.8 to 2.13):

```text
RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.
```

Machine (`newer than 11.4`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13 16:14:05 UTC 2021"
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}}'
```

Machine (of one major version, not sure: `newer than 12.4`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.6.0"}}'
```

Sound (the toolkit is as old as the driver; the toolkit that is named is older):

```toml
[environment]
CUDA_HOME = "/opt/cuda-12.4"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/opt/cuda-12.4/bin/nvcc" = ""
"/opt/cuda-12.4/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}}'
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "13.0.0"}}'
```

Sound (libraries without a compiler; no driver):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13 16:14:05 UTC 2021"
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}}'
```

Sound (only the cards' own architectures are compiled):

```toml
[environment]
TORCH_CUDA_ARCH_LIST = "8.6"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13 16:14:05 UTC 2021"
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}}'
```
"""

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.cuda import newest_cuda

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a driver older than the toolkit")


@pitfall.explains(r"provided PTX was compiled with an unsupported toolchain", odds=0.95)
def newer_than_the_driver(failure: Failure) -> Hits:
    yield failure.hit(
        "the driver is older than the CUDA that compiled this kernel: update it, or a PyTorch for the CUDA that `nvidia-smi` names; "
        "an extension is built for the card's own architecture (TORCH_CUDA_ARCH_LIST)"
    )


@pitfall.probes
def toolkit_newer_than_driver(machine: Machine) -> Hits:
    toolkit, driver = machine.toolkit, machine.driver
    knows = newest_cuda(numbers(driver)[0]) if driver else ""
    if not (knows and toolkit) or numbers(toolkit.version)[:2] <= numbers(knows):
        return
    architectures = machine.variable("TORCH_CUDA_ARCH_LIST")
    if architectures and "PTX" not in architectures:
        return
    yield machine.hit(
        f"the toolkit at {toolkit.folder} is CUDA {toolkit.version}, newer than {knows}, the newest that the driver "
        f"{driver} understands: the PTX of an extension that is built here does not load",
        "export TORCH_CUDA_ARCH_LIST=8.6 # your card's own: then no PTX is needed",
        {toolkit.file: toolkit.version, VERSION_FILE: driver},
        # Machine code, which is compiled as well, runs with all drivers of one major version.
        sure=numbers(toolkit.version)[0] != numbers(knows)[0],
    )
