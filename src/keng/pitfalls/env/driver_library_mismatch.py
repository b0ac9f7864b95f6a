r"""The driver's library is of another version than its kernel module.

A driver has two halves, a module in the kernel and `libcuda.so`, `libnvidia-ml.so` for the programs, and
both must be of one version. An update replaces the files at once; the module in the kernel stays the old
one until the machine restarts. In a container the library is mounted from the host, and an image that
carries one of its own hides it; under Windows' Linux the driver is that of Windows, and a Linux driver
installed beside it hides that one. The toolkit's folder `stubs` holds a `libcuda.so` to link programs
with, which can do nothing else.

Cure: restart the machine, or unload and load the module; remove a driver that was installed in the image
or under Windows' Linux; keep `stubs` out of `LD_LIBRARY_PATH`.

Message (torch 1.8 to 2.13):

```text
RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 803: system has unsupported display driver / cuda driver combination
```

Message (nvidia-smi):

```text
Failed to initialize NVML: Driver/library version mismatch
```

Machine (an update without a restart: `550.127.05 and the kernel module 550.90.07`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/usr/lib/x86_64-linux-gnu/libcuda.so.1" = { link = "libcuda.so.550.127.05" }
"/usr/lib/x86_64-linux-gnu/libcuda.so.550.127.05" = ""
```

Machine (under Windows: `hides the one of Windows`):

```toml
[files]
"/usr/lib/wsl/lib/libcuda.so.1" = ""
"/usr/lib/x86_64-linux-gnu/libcuda.so.1" = { link = "libcuda.so.550.90.07" }
"/usr/lib/x86_64-linux-gnu/libcuda.so.550.90.07" = ""
```

Machine (a stub in front of the driver's library: `is a stub to link with`):

```toml
[environment]
LD_LIBRARY_PATH = "/usr/local/cuda/lib64/stubs"
[files]
"/usr/local/cuda/lib64/stubs/libcuda.so" = ""
"/usr/local/cuda/lib64/stubs/libcuda.so.1" = { link = "libcuda.so" }
"/usr/lib/x86_64-linux-gnu/libcuda.so.1" = { link = "libcuda.so.550.90.07" }
"/usr/lib/x86_64-linux-gnu/libcuda.so.550.90.07" = ""
```

Sound (of one version; a compatibility library, which is newer by intent):

```toml
[environment]
LD_LIBRARY_PATH = "/usr/local/cuda/compat"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA A100-SXM4-80GB\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/usr/local/cuda/compat/libcuda.so.1" = { link = "libcuda.so.580.65.06" }
"/usr/local/cuda/compat/libcuda.so.580.65.06" = ""
"/usr/lib/x86_64-linux-gnu/libcuda.so.1" = { link = "libcuda.so.550.90.07" }
"/usr/lib/x86_64-linux-gnu/libcuda.so.550.90.07" = ""
"/usr/lib/x86_64-linux-gnu/libcuda.so" = { link = "libcuda.so.1" }
```

Sound (a Jetson, whose library and module are numbered each in its own way):

```toml
[files]
"/etc/nv_tegra_release" = "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic, EABI: aarch64"
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  540.4.0  Release Build"
"/dev/nvidiactl" = ""
"/etc/ld.so.conf.d/nvidia-tegra.conf" = "/usr/lib/aarch64-linux-gnu/nvidia\n"
"/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1" = { link = "libcuda.so.1.1" }
"/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1.1" = ""
```

Sound (a stub of the toolkit that has no version; Windows' own alone):

```toml
[environment]
LD_LIBRARY_PATH = "/usr/local/cuda/lib64/stubs"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/usr/local/cuda/lib64/stubs/libcuda.so" = ""
"/usr/lib/wsl/lib/libcuda.so.1" = ""
```
"""

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.breaks("no-nvidia-driver", "map-location-missing", "cuda-unknown-error")

DRIVER = "libcuda.so.1"
"""The name by which programs ask for the driver's library."""
WINDOWS = "/usr/lib/wsl/lib/libcuda.so.1"


@pitfall.explains(
    r"system has unsupported display driver / cuda driver combination",
    r"Driver/library version mismatch",
    odds=0.95,
)
def halves_differ(failure: Failure) -> Hits:
    yield failure.hit(
        "the driver's library and its kernel module are of two versions: restart the machine, or in a "
        "container remove the driver that the image carries"
    )


@pitfall.probes
def library_of_another_version(machine: Machine) -> Hits:
    driver = machine.driver
    usual = [copy for copy in machine.libraries("libcuda") if "compat" not in copy.folder]
    versions = {copy.version for copy in usual if len(copy.version) > 1}
    if driver and versions and numbers(driver) not in versions:
        copy = next(copy for copy in usual if len(copy.version) > 1)
        version = copy.name.partition(".so.")[2]
        yield machine.hit(
            f"the driver's library is {version} and the kernel module {driver}: CUDA does not start",
            "sudo reboot",
            {copy.path: version, VERSION_FILE: driver},
        )


@pitfall.probes
def linux_driver_under_windows(machine: Machine) -> Hits:
    copy = next((copy for copy in machine.libraries("libcuda") if copy.version), None)
    if (
        machine.exists(WINDOWS)
        and not machine.driver
        and copy is not None
        and "wsl" not in copy.path
    ):
        yield machine.hit(
            f"{copy.path} hides the one of Windows, which alone reaches the card",
            "sudo apt remove --purge 'libnvidia-compute-*' 'nvidia-driver-*'",
            {copy.path: copy.by or "on the loader's way", WINDOWS: "the driver of Windows"},
            sure=len(copy.version) > 1,
        )


@pitfall.probes
def stub_in_front(machine: Machine) -> Hits:
    copy = next(
        (c for c in machine.libraries("libcuda") if machine.exists(f"{c.searched}/{DRIVER}")), None
    )
    if copy is not None and copy.searched.endswith("/stubs"):
        yield machine.hit(
            f"{copy.searched}/{DRIVER} is a stub to link with, and is found before the driver's own: CUDA does not start",
            copy.off_the_way,
            {f"{copy.searched}/{DRIVER}": copy.by, VERSION_FILE: machine.driver or "not there"},
        )
