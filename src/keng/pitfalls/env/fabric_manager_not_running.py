r"""The service that joins the cards of a server is not running.

Servers whose cards are joined by NVSwitch (HGX, DGX) need a service, `nvidia-fabricmanager`, which sets the
switches up after each start. Until it has, CUDA does not start on any card, though `nvidia-smi` shows them
all. Its version must be that of the driver.

Cure: `sudo systemctl enable --now nvidia-fabricmanager`, in the driver's own version.

Message (torch 1.8 to 2.13):

```text
RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 802: system not yet initialized
```

Message (torch 1.0 to 1.4):

```text
RuntimeError: cuda runtime error (802) : system not yet initialized at /opt/conda/conda-bld/pytorch_1579022034529/work/aten/src/THC/THCGeneral.cpp:50
```

Machine (switches, and no `nv-fabricmanager`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/dev/nvidia-nvswitch0" = ""
"/dev/nvidia-nvswitchctl" = ""
"/proc/self/stat" = "77 (keng) S 1 77"
```

Sound (the service runs; a container does not see it):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/dev/nvidia-nvswitch0" = ""
"/proc/912/stat" = "912 (nv-fabricmanage) S 1 912"
"/proc/912/cmdline" = "/usr/bin/nv-fabricmanager\u0000-c\u0000/usr/share/nvidia/nvswitch/fabricmanager.cfg"
```

Sound (in a container, where others' processes are hidden):

```toml
[files]
"/.dockerenv" = ""
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/dev/nvidiactl" = ""
"/dev/nvidia-uvm" = ""
"/dev/nvidia-nvswitch0" = ""
"/proc/self/stat" = "77 (keng) S 1 77"
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"(?:[Ee]rror(?: 802| \(802\) |=802 )?): system not yet initialized", odds=0.95)
def not_yet_initialized(failure: Failure) -> Hits:
    yield failure.hit(
        "the switches between the cards are not set up: start nvidia-fabricmanager, in the driver's version"
    )


@pitfall.probes
def switches_without_the_service(machine: Machine) -> Hits:
    switches = [name for name in machine.names("/dev") if name.startswith("nvidia-nvswitch")]
    if not switches or machine.in_container:
        return
    if not any("nv-fabricmanager" in process.command for process in machine.processes):
        yield machine.hit(
            "the cards are joined by switches, and nv-fabricmanager does not run: CUDA does not start",
            "sudo systemctl enable --now nvidia-fabricmanager",
            {f"/dev/{switches[0]}": "there", "/proc": "no nv-fabricmanager"},
        )
