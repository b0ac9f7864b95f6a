r"""A PyTorch for AMD's cards does not reach them.

A program reaches an AMD card through `/dev/kfd` and `/dev/dri`, which the system opens for the groups `render` and `video`, and to a container only
where they are passed on. What it computes with (`libamdhip64`, `librocblas`) comes with the wheels of PyTorch; what was compiled against the
ROCm of the system looks for that release's libraries. Without the device files ROCm tells only that it lacks resources.

Cure: `sudo usermod -aG render,video $USER`, then log in anew; `docker run --device=/dev/kfd --device=/dev/dri --group-add video`; libraries of ROCm from one
release, the one that PyTorch names in `torch.version.hip`, with `/opt/rocm/lib` in `LD_LIBRARY_PATH`. `rocminfo` shows whether a card is seen.

Bad:

```python
import torch

x = torch.ones(2, device="cuda")
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(2, device=device)
```

Message (rocminfo; `group render`):

```text
Unable to open /dev/kfd read-write: Permission denied
```

Message (rocminfo, in a container):

```text
Unable to open /dev/kfd read-write: No such file or directory
```

Message (rocminfo):

```text
hsa api call failure at: /data/jenkins-workspace/compute-rocm-rel-3.3/rocminfo/rocminfo.cc:1102
Call returned HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate the necessary resources. This error may also occur when the core runtime library needs to spawn threads or create internal OS-specific events.
```

Message (rocBLAS):

```text
rocBLAS error: Could not initialize Tensile host: No devices found
```

Message (an extension for ROCm 6; `libamdhip64.so.6`):

```text
ImportError: libamdhip64.so.6: cannot open shared object file: No such file or directory
```

Sources: https://github.com/ROCm/legacy-rocm-build/issues/1080, https://github.com/ROCm/legacy-rocm-build/issues/1318

Message (the shell, where an extension is built; `ROCM_HOME`):

```text
/bin/sh: 1: /opt/rocm/bin/hipcc: not found
```

Message (torch 2.13; `rocm-dev`):

```text
OSError: ROCM_HOME environment variable is not set. Please set it to your ROCm install root.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a card of AMD's")


@pitfall.explains(
    r"Unable to open /dev/kfd read-write|HSA_STATUS_ERROR_OUT_OF_RESOURCES|Could not initialize Tensile host: No devices found",
    odds=0.9,
)
def no_way_to_the_card(failure: Failure) -> Hits:
    yield failure.hit(
        "this user or container may not open the card: join the group render, or docker run --device=/dev/kfd --device=/dev/dri"
    )


@pitfall.explains(
    r"(?P<file>lib(?:amdhip64|hsa-runtime64|rocblas|hipblas|hipblaslt|rocsolver|hipsolver|hipfft|MIOpen|rccl|hipsparse|roctx64|roctracer64|hiprtc)"
    r"\.so[\d.]*): cannot open shared object file",
    odds=0.9,
)
def library_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']}, of ROCm, is not found: it was compiled for another release of ROCm than the one that is installed, or "
        "LD_LIBRARY_PATH lacks /opt/rocm/lib"
    )


@pitfall.explains(r"\bhipcc: (?:command )?not found", odds=0.93)
def compiler_not_there(failure: Failure) -> Hits:
    yield failure.hit(
        "ROCm's compiler hipcc is not there: the development packages of ROCm (rocm-dev), and ROCM_HOME where it is not /opt/rocm"
    )


pitfall.answers(
    {
        "ROCM_HOME environment variable is not set": "ROCm's compilers are not found: its development packages (rocm-dev), and export ROCM_HOME=/opt/rocm",
    },
    odds=0.95,
)
