r"""CUDA cannot start, and does not say why.

The driver answers, so `nvidia-smi` looks normal, but CUDA's own part of it does not. Often the device
file `/dev/nvidia-uvm` is missing, in a container or because nothing has loaded the module
`nvidia_uvm`; or the machine has been suspended and the module has not recovered. The message itself
blames a change of `CUDA_VISIBLE_DEVICES` after the start, which is possible too.

Cure: `sudo nvidia-modprobe -u`, or reload the module: `sudo rmmod nvidia_uvm && sudo modprobe
nvidia_uvm`; a restart does the same. See with `fuser -v /dev/nvidia*` who holds the card.

Bad:

```python
import torch

x = torch.ones(3, device="cuda")
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, device=device)
```

Message (torch 1.8 to 2.13, a warning):

```text
UserWarning: CUDA initialization: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero. (Triggered internally at ../c10/cuda/CUDAFunctions.cpp:108.)
```

Message (torch 1.8 to 2.13, an error):

```text
RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero.
```

Message (torch 1.5 to 2.13, of a card that is not handed out):

```text
RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable
```

Machine (`/dev/nvidia-uvm is not there`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/dev/nvidiactl" = ""
"/dev/nvidia0" = ""
```

Machine (a device file that is another user's: `may not be opened`):

```toml
user = 54321
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/dev/nvidiactl" = ""
"/dev/nvidia0" = ""
"/dev/nvidia-uvm" = ""
```

Sound (`nvidia-modprobe` makes the file when CUDA first starts; all are there; no driver):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/dev/nvidiactl" = ""
"/dev/nvidia0" = ""
"/usr/bin/nvidia-modprobe" = ""
```

Sound (all device files are there):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/dev/nvidiactl" = ""
"/dev/nvidia0" = ""
"/dev/nvidia-uvm" = ""
```

Message (torch 1.8 to 2.13, under WSL):

```text
UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 2: out of memory (Triggered internally at /pytorch/c10/cuda/CUDAFunctions.cpp:109.)
```

Message (torch 1.0 to 1.6):

```text
RuntimeError: cuda runtime error (30) : unknown error at /pytorch/aten/src/THC/THCGeneral.cpp:87
```

Message (torch 1.0 to 2.13, in a forked process or with a driver that hangs):

```text
RuntimeError: CUDA error: initialization error
```

Message (torch 1.0 to 2.13, in the midst of a run; `gave up`):

```text
  File "/home/u/train.py", line 40, in <module>
    loss.backward()
  File "/env/lib/python3.10/site-packages/torch/autograd/__init__.py", line 200, in backward
    Variable._execution_engine.run_backward(
RuntimeError: CUDA error: unknown error
```

Message (torch 1.0 to 2.13, Windows; `a newer driver`):

```text
  File "C:\Users\u\train.py", line 4, in <module>
    x = torch.zeros(1).cuda()
  File "C:\env\lib\site-packages\torch\cuda\__init__.py", line 247, in _lazy_init
    torch._C._cuda_init()
RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero.
```

Message (torch 1.0 to 2.13; `nvidia-modprobe`):

```text
RuntimeError: CUDA error: unknown error
```

Message (torch 1.0 to 1.6; `forked`):

```text
RuntimeError: cuda runtime error (3) : initialization error at /pytorch/aten/src/THC/THCGeneral.cpp:50
```

Message (torch 1.8 to 2.13):

```text
RuntimeError: CUDA driver initialization failed, you might not have a CUDA gpu.
```

Message (torch 2.4 to 2.13, in the words of newer drivers; `compute mode`):

```text
RuntimeError: CUDA error: CUDA-capable device(s) is/are busy or unavailable
```

Message (CUDA 11 to 13; `nvidia-cuda-mps-control`):

```text
RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 805: MPS client failed to connect to the MPS control daemon or the MPS server
```
"""

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.explain.advice.cards import unknown_to_the_driver
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a driver that does not answer")
pitfall.breaks("no-nvidia-driver", "map-location-missing")

DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm")
READ_WRITE_ALL = 0o006
GROUP_WRITES = 0o020
BUSY = (
    "the driver hands out no card: another process has one for itself (compute mode Exclusive, see nvidia-smi), or the "
    "driver hangs and wants to be reloaded (in WSL `wsl --shutdown`)"
)

pitfall.answers(
    {
        "CUDA-capable devices are busy or unavailable": BUSY,
        "CUDA-capable device(s) is/are busy or unavailable": BUSY,
        "MPS client failed to connect": "programs share the card through MPS, whose daemon is gone: start "
        "`nvidia-cuda-mps-control -d`, or unset CUDA_MPS_PIPE_DIRECTORY",
    }
)


@pitfall.explains(
    r"CUDA unknown error - this may be due to an incorrectly set up",
    r"(?:cuda runtime error \(\d+\) : |CUDA error: |CUDA driver error: )unknown error",
    odds=0.9,
)
def driver_left_broken(failure: Failure) -> Hits:
    yield failure.hit(unknown_to_the_driver(failure))


@pitfall.explains(
    r"Unexpected error from cudaGetDeviceCount\(\).{1,160}?Error (?P<code>(?!80[2345])\d{1,3}): (?P<why>[\w ]{3,40})",
    odds=0.85,
)
def cards_not_counted(failure: Failure) -> Hits:
    yield failure.hit(
        f"the driver fails while the cards are counted ({failure.groups['why'].strip()}, error "
        f"{failure.groups['code']}): nvidia-smi in the same container or WSL, then a newer driver or a restart"
    )


@pitfall.probes
def device_file_missing(machine: Machine) -> Hits:
    """`nvidia-modprobe` belongs to root and makes the file for whoever starts CUDA first."""
    control, uvm = (machine.exists(device) for device in DEVICES)
    if machine.driver and control and not uvm and not machine.exists("/usr/bin/nvidia-modprobe"):
        yield machine.hit(
            "/dev/nvidia-uvm is not there, so CUDA cannot start though nvidia-smi works",
            "sudo modprobe nvidia-uvm && sudo mknod -m 666 /dev/nvidia-uvm c "
            "$(grep nvidia-uvm /proc/devices | cut -d' ' -f1) 0",
            {VERSION_FILE: machine.driver, "/dev/nvidia-uvm": "not there"},
        )


@pitfall.probes
def device_file_forbidden(machine: Machine) -> Hits:
    for device in DEVICES if machine.driver and machine.user else ():
        status = machine.status(device)
        if status is None or status.st_uid == machine.user:
            continue
        if status.st_mode & READ_WRITE_ALL != READ_WRITE_ALL and not status.st_mode & GROUP_WRITES:
            yield machine.hit(
                f"{device} may not be opened by this user, so CUDA cannot start",
                f"sudo chmod 666 {device}",
                {device: f"mode {status.st_mode & 0o777:o}"},
            )


@pitfall.explains(
    r"(?:CUDA error: |cuda runtime error \(\d+\) : )initialization error",
    r"CUDA driver initialization failed",
    odds=0.8,
)
def not_started(failure: Failure) -> Hits:
    yield failure.hit(
        "CUDA does not start in this process: it was forked after CUDA had started (spawn instead), or the driver "
        "hangs; see nvidia-smi and whether a fresh python -c 'import torch; torch.ones(1).cuda()' works"
    )
