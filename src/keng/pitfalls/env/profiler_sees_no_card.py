r"""The profiler does not see what runs on the card.

For times on the card `torch.profiler` goes through Kineto and NVIDIA's CUPTI, of which one program at a time may make use and for whose counters an
administrator can require root. Where CUPTI does not start (no right, another profiler such as Nsight or DCGM, a CUPTI of another CUDA, some
versions of WSL), the profile has columns for the CPU alone, and a warning is all that tells of it. Builds without Kineto, as those of 1.8 for Windows
and some of conda-forge's, refuse.

Cure: close other profilers; `modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0` or root for counters; a build of pytorch.org's, and a driver as new as its CUDA;
`ProfilerActivity.CUDA in torch.profiler.supported_activities()` tells whether the build can.

Bad:

```python
import torch

with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
    torch.ones(3, device="cuda").sum()
```

Good:

```python
import torch

with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
    torch.ones(3).sum()
```

Message (torch 1.10 to 2.13; `CUPTI_ERROR_NOT_INITIALIZED`):

```text
ERROR:2024-12-19 06:36:11 2047:2047 init.cpp:174] function cbapi->getCuptiStatus() failed with error CUPTI_ERROR_NOT_INITIALIZED (15)
WARNING:2024-12-19 06:36:11 2047:2047 init.cpp:175] CUPTI initialization failed - CUDA profiler activities will be missing
```

Message (without the right to read counters; `NVreg_RestrictProfilingToAdminUsers`):

```text
ERROR:2024-05-08 02:02:36 2435070:2435070 CuptiRangeProfilerApi.cpp:117] function cuptiProfilerBeginSession failed with error CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)
```

Message (torch 1.8; `USE_KINETO`):

```text
AssertionError: Requested Kineto profiling but Kineto is not available, make sure PyTorch is built with USE_KINETO=1
```

Message (torch 1.9 to 2.13; `legacy`):

```text
UserWarning: CUPTI tracing is not available, falling back to legacy CUDA profiling
```

Message (torch 1.13 to 2.13; `another profiler`):

```text
WARNING:2025-03-11 10:00:00 1:1 init.cpp:155] function cbapi->getCuptiStatus() failed with error CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (39)
```

Message (torch 1.8 to 2.13; `the CPU alone`):

```text
UserWarning: CUDA is not available, disabling CUDA profiling
```

Sources: https://github.com/pytorch/kineto/issues/280, https://github.com/pytorch/pytorch/issues/99615,
https://github.com/pytorch/pytorch/issues/65393
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="a card and its profiler")

CURES = {
    "INSUFFICIENT_PRIVILEGES": "the driver keeps counters for root: NVreg_RestrictProfilingToAdminUsers=0, or sudo",
    "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED": "another profiler holds it, as Nsight or DCGM: end that first",
}
"""By the last words of CUPTI's error."""


@pitfall.explains(
    r"failed with error CUPTI_ERROR_(?P<error>[A-Z_]{3,60})",
    r"(?P<error>CUPTI initialization failed|CUPTI tracing is not available, falling back to legacy)",
    odds=0.9,
)
def does_not_start(failure: Failure) -> Hits:
    error = failure.groups["error"]
    name = f"CUPTI_ERROR_{error}" if error.isupper() else error
    cure = CURES.get(
        error, "a driver as new as this CUDA, no other profiler, and no other libcupti"
    )
    yield failure.hit(f"the profiler gets nothing from the card ({name}): {cure}")


@pitfall.explains(r"Kineto is not available, make sure PyTorch is built with USE_KINETO", odds=0.95)
def built_without(failure: Failure) -> Hits:
    yield failure.hit(
        "this PyTorch was built without Kineto (USE_KINETO): a newer one of pytorch.org's, or use_kineto=False in torch.autograd.profiler"
    )


@pitfall.explains(r"(?P<kind>CUDA|XPU|HPU) is not available, disabling \w+ profiling", odds=0.9)
def no_card(failure: Failure) -> Hits:
    yield failure.hit(
        f"no {failure.groups['kind']} is seen here, so the profile is of the CPU alone"
    )
