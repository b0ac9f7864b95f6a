r"""PyTorch finds no NVIDIA driver, or no card.

PyTorch brings CUDA's libraries, not the driver, which belongs to the machine. It is missing in a
container that was started without the GPUs, on a machine without a card, and where the kernel module
is not loaded. A driver that is there may be too old for the CUDA that PyTorch was built with, and one
that works shows no card where `CUDA_VISIBLE_DEVICES` is empty. While an image is built (`docker build`) there is
no card at all, unless nvidia is the default runtime.

Cure: `nvidia-smi` tells which of these it is: install or update the driver, start the container with
`--gpus all`, choose a PyTorch built for the driver's CUDA, or unset `CUDA_VISIBLE_DEVICES`.

Bad:

```python
import torch

x = torch.ones(3).cuda()  # seen: fails where no driver is
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, device=device)
```

Message (torch 1.13 to 2.13; `without such a card`):

```text
RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx
```

Message (torch 1.13 to 2.13, in WSL; `wsl --shutdown`):

```text
RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx
WSL got closed, and now it shows this.
```

Message (torch 1.13 to 2.13, in a container on WSL; `--gpus all`):

```text
RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx
I start it with docker run in WSL2.
```

Message (torch 1.13 to 2.13, with a card of AMD's; `the build for ROCm`):

```text
I have an AMD Radeon RX 6800.
RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx
```

Message (torch 1.8 to 2.13, in Colab; `Change runtime type`):

```text
  File "/content/repo/train.py", line 40, in <module>
    model.cuda()
  File "/usr/local/lib/python3.11/dist-packages/torch/cuda/__init__.py", line 372, in _lazy_init
    torch._C._cuda_init()
RuntimeError: No CUDA GPUs are available
```

Message (torch 1.8 to 2.13, in Ray; `num_gpus=1`):

```text
ray::Trainer.step() (pid=4313, ip=10.0.0.2)
RuntimeError: No CUDA GPUs are available
```

Message (torch 2.10 to 2.13, a driver of CUDA 12; `whl/cu126`):

```text
RuntimeError: The NVIDIA driver on your system is too old (found version 12040). Please update your GPU driver by downloading and installing a new version from the URL: http://www.nvidia.com/Download/index.aspx
```

Message (torch 1.13 to 2.13, an old driver; `whl/cu118`):

```text
RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver by downloading and installing a new version from the URL: http://www.nvidia.com/Download/index.aspx Alternatively, go to: https://pytorch.org to install a PyTorch version that has been compiled with your version of the CUDA driver.
```

Message (torch 1.0):

```text
RuntimeError: cuda runtime error (35) : CUDA driver version is insufficient for CUDA runtime version at torch/csrc/cuda/Module.cpp:51
```

Message (torch 1.8 to 2.13; `CUDA_VISIBLE_DEVICES names none`):

```text
RuntimeError: No CUDA GPUs are available
```

Machine (a driver too old: `the driver 470.57.02 runs CUDA 11.4 at most, and PyTorch is built for 13.0`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13 16:14:05 UTC 2021"
"/dev/nvidiactl" = ""
"/dev/nvidia-uvm" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```

Machine (a container without the cards: `was started without its cards`):

```toml
[files]
"/.dockerenv" = ""
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build"
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```

Sound (a driver of the same major version of CUDA is new enough):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  525.105.17  Tue Mar 28 18:02:59 UTC 2023"
"/dev/nvidiactl" = ""
"/dev/nvidia-uvm" = ""
"/sys/bus/pci/devices/0000:01:00.0/vendor" = "0x10de\n"
"/sys/bus/pci/devices/0000:01:00.0/class" = "0x030200\n"
"/env/site-packages/torch/version.py" = "__version__ = '2.6.0+cu126'\ncuda: Optional[str] = '12.6'\n"
```

Sound (a compatibility library lifts an old driver):

```toml
[environment]
LD_LIBRARY_PATH = "/usr/local/cuda/compat"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.06  Wed Jun 26 06:46:07 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA A100-SXM4-80GB\nDevice Minor: \t 0\n"
"/dev/nvidiactl" = ""
"/dev/nvidia-uvm" = ""
"/dev/nvidia0" = ""
"/usr/local/cuda/compat/libcuda.so.1" = { link = "libcuda.so.580.65.06" }
"/usr/local/cuda/compat/libcuda.so.580.65.06" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
```

Message (torch 1.0 to 1.6):

```text
RuntimeError: cuda runtime error (38) : no CUDA-capable device is detected at /pytorch/aten/src/THC/THCGeneral.cpp:50
```

Message (torch 2.0 to 2.13, ROCm; `/dev/kfd`):

```text
RuntimeError: No HIP GPUs are available
```

Message (torch 2.1 to 2.13; `libcuda.so.1`):

```text
RuntimeError: handle_0 INTERNAL ASSERT FAILED at "../c10/cuda/driver_api.cpp":15, please report a bug to PyTorch. Can't open libcuda.so.1: libcuda.so.1: cannot open shared object file: No such file or directory
```

Message (torch 1.13 to 2.0 in WSL, of cuDNN; `/usr/lib/wsl/lib`):

```text
Could not load library libcudnn_cnn_infer.so.8. Error: libcuda.so: cannot open shared object file: No such file or directory
```

Message (torch 1.10 to 2.13, a warning; `NVML`):

```text
UserWarning: Can't initialize NVML
```

Message (a program of Stable Diffusion's; `delete its folder venv`):

```text
RuntimeError: Torch is not able to use GPU; add --skip-torch-cuda-test to COMMANDLINE_ARGS variable to disable this check
```

Message (the same program's sister for AMD's cards; `--use-directml`):

```text
  File "C:\Data\Packages\stable-diffusion-webui-directml\modules\launch_utils.py", line 625, in prepare_environment
    raise RuntimeError(
RuntimeError: Torch is not able to use GPU; add --skip-torch-cuda-test to COMMANDLINE_ARGS variable to disable this check
```

Message (torch 1.13 to 2.13, while an image is built; `an image is built`):

```text
#15 3.201 Traceback (most recent call last):
#15 3.201   File "/app/warm.py", line 15, in <module>
#15 3.201     x = torch.randn([1, 3, 224, 224], device='cuda')
#15 3.201 RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx
ERROR: failed to solve: process "/bin/sh -c python warm.py" did not complete successfully: exit code: 1
```

Message (the older builder, of a card alone; `an image is built`):

```text
Step 16/22 : RUN python warm.py
 ---> Running in 3f2a9d7c
RuntimeError: No CUDA GPUs are available
The command '/bin/sh -c python warm.py' returned a non-zero code: 1
```

Message (CUDA 11 to 13):

```text
RuntimeError: CUDA error: API call is not supported in the installed CUDA driver
```

Message (nvidia-smi; `Secure Boot`):

```text
NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.
```

Message (Triton 3):

```text
RuntimeError: 0 active drivers ([]). There should only be one.
```

Message (a shell in a container):

```text
bash: nvidia-smi: command not found
```
"""

import re

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.explain.advice import cards
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.cuda import LEAST_DRIVER, newest_cuda

pitfall = Pitfall(__name__, __doc__, severity="error", needs="PyTorch with CUDA and no driver")
pitfall.breaks("map-location-missing", "cuda-unknown-error")

BUILDS = re.compile(
    r"failed to solve: |The command '/bin/sh -c|\] RUN |Step \d{1,3}/\d{1,3} : RUN|\b(?:during|in|while) (?:the )?\W?docker build|docker build\W? (?:fail|sequence|sta|step|time)"
)
WHILE_BUILT = "no card is there while an image is built: leave what needs it to the start of the container (--gpus all), or make nvidia the default runtime of Docker's daemon"
FOR_AMD = ("webui-directml", "webui-amdgpu")
OTHER_WEB_UI = "this web UI is the one for AMD's cards, whose torch has no CUDA: --use-directml or --use-zluda there, and the original one for an NVIDIA card"


@pitfall.explains(
    r"Found no NVIDIA driver on your system|couldn't communicate with the NVIDIA driver|nvidia-smi: command not found",
    r"(?:Can't open )?libcuda\.so(?:\.1)?: cannot open shared object file",
    odds=0.95,
)
def no_driver(failure: Failure) -> Hits:
    built = BUILDS.search(f"{failure.told} {failure.message}")
    yield failure.hit(WHILE_BUILT if built else cards.no_driver(failure))


@pitfall.explains(
    r"NVIDIA driver on your system is too old \(found version (?P<major>\d+)(?P<minor>\d\d)0\)",
    r"CUDA driver version is insufficient for CUDA runtime version|not supported in the installed CUDA driver",
    odds=0.95,
)
def old_driver(failure: Failure) -> Hits:
    major, minor = (failure.groups.get(part) or "" for part in ("major", "minor"))
    yield failure.hit(cards.old_driver(major, minor))


@pitfall.explains(
    r"No (?:CUDA|HIP|XPU) GPUs are available|no (?:CUDA|ROCm)-capable device is detected|0 active drivers \(\[\]\)|"
    r"[Tt]orch is not able to use GPU",
    odds=0.9,
)
def no_card(failure: Failure) -> Hits:
    web_ui = "able to use GPU" in failure.message and any(map(failure.shows, FOR_AMD))
    built = BUILDS.search(f"{failure.told} {failure.message}")
    yield failure.hit(OTHER_WEB_UI if web_ui else WHILE_BUILT if built else cards.no_card(failure))


@pitfall.probes
def driver_older_than_cuda(machine: Machine) -> Hits:
    torch, driver = machine.torch, machine.driver
    if torch is None or not torch.cuda or not driver:
        return
    needs = LEAST_DRIVER.get(next(iter(numbers(torch.cuda)), 0), ())
    in_place = (copy.version for copy in machine.libraries("libcuda"))  # of the driver's own
    if numbers(driver) >= needs or any(numbers(driver) < version for version in in_place):
        return
    knows = newest_cuda(numbers(driver)[0]) or "9.2"
    yield machine.hit(
        f"the driver {driver} runs CUDA {knows} at most, and PyTorch is built for {torch.cuda}: no card is available",
        f"sudo apt install nvidia-driver-{needs[0]} # or a PyTorch built for CUDA {knows}",
        {VERSION_FILE: driver, torch.file: torch.cuda},
    )


@pitfall.probes
def container_without_cards(machine: Machine) -> Hits:
    torch, given = machine.torch, machine.exists("/dev/nvidiactl")
    if machine.driver and machine.in_container and not given and torch and torch.cuda:
        yield machine.hit(
            "the host has a driver, and this container was started without its cards",
            "docker run --gpus all ...",
            {VERSION_FILE: machine.driver, "/dev/nvidiactl": "not there"},
        )


pitfall.answers(
    {
        "Can't initialize NVML": "NVML does not answer: no driver, or another version than its library"
    },
    odds=0.8,
)
