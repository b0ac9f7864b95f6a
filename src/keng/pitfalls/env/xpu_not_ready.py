r"""A PyTorch for Intel's cards finds no library or driver of theirs.

The builds with `+xpu` compute by SYCL, whose runtime (`libsycl`) comes in packages of its own (`intel-sycl-rt` and others) or with oneAPI,
and reaches the card through the driver's Level Zero (`libze_loader`). Each release of PyTorch wants one version of that runtime: before 2.5
`setvars.sh` of oneAPI had to be sourced, since then pip brings it, and a oneAPI of another version in `LD_LIBRARY_PATH` stands in its way. The
extension for PyTorch (IPEX) fits one minor version of PyTorch alone, and is loaded by `import torch` since 2.5.

Cure: reinstall with `--index-url https://download.pytorch.org/whl/xpu` in a fresh environment without oneAPI's variables; install the driver
(`intel-level-zero-gpu`, or Intel's for Windows) and join the group `render`; for the extension the release of the same numbers as PyTorch's,
or `TORCH_DEVICE_BACKEND_AUTOLOAD=0` where it is not wanted.

Bad:

```python
import torch

x = torch.ones(2, device="xpu")
```

Good:

```python
import torch

device = "xpu" if torch.xpu.is_available() else "cpu"
x = torch.ones(2, device=device)
```

Message (torch 2.5 to 2.13; `libsycl.so.8`):

```text
OSError: libsycl.so.8: cannot open shared object file: No such file or directory
```

Message (the extension 1.13; `libmkl_sycl.so.3`):

```text
ImportError: libmkl_sycl.so.3: cannot open shared object file: No such file or directory
```

Message (torch 2.3 to 2.13; `render`):

```text
RuntimeError: No XPU devices are available.
```

Message (torch 2.6 to 2.13):

```text
UserWarning: Failed to initialize XPU devices. The driver may not be installed, installed incorrectly, or incompatible with the current setup.
```

Message (the extension 1.13 to 2.1):

```text
UserWarning: XPU Device count is zero! (Triggered internally at /build/intel-pytorch-extension/csrc/gpu/runtime/Device.cpp:127.)
```

Message (the extension; `PyTorch 2.8`):

```text
ERROR! Intel® Extension for PyTorch* needs to work with PyTorch 2.8.*, but PyTorch 2.6.0+cu124 is found. Please switch to the matching version and run again.
```

Message (torch 2.5 to 2.13; `TORCH_DEVICE_BACKEND_AUTOLOAD`):

```text
RuntimeError: Failed to load the backend extension: intel_extension_for_pytorch. You can disable extension auto-loading with TORCH_DEVICE_BACKEND_AUTOLOAD=0.
```

Message (torch 2.13, where an extension in SYCL is built):

```text
OSError: SYCL runtime is not dected. Please setup the pytorch prerequisites for Intel GPU following the instruction in https://github.com/pytorch/pytorch?tab=readme-ov-file#intel-gpu-support or install intel-sycl-rt via pip.
```

Sources: https://github.com/intel/intel-extension-for-pytorch/issues/396, https://github.com/intel/intel-extension-for-pytorch/issues/712,
https://github.com/intel/intel-extension-for-pytorch/issues/797, https://github.com/pytorch/pytorch/issues/135867

Message (the extension 2.1, the model on the CPU; `.to("xpu")`):

```text
NotImplementedError: Could not run 'torch_ipex::mul_add' with arguments from the 'CPU' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build).
```

Message (torch 2.13; `sudo`):

```text
RuntimeError: GPU temperature querying is not available. Try running with elevated privileges (e.g. sudo).
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a card of Intel's")

SYCL = "SYCL's runtime, with which the extension is built, is not found: pip install intel-sycl-rt, or source oneAPI's setvars.sh"
pitfall.answers({"SYCL runtime is not dected": SYCL}, odds=0.9)


@pitfall.explains(
    r"(?P<file>lib(?:sycl|ze_loader|ur_loader|ur_adapter_level_zero|pi_level_zero|mkl_sycl|intel-ext-pt)\w*\.so[\d.]*): cannot open shared",
    odds=0.93,
)
def runtime_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']}, of Intel's runtime, is not found: reinstall from the index whl/xpu, or source oneAPI's setvars.sh of the "
        "version that this PyTorch was built with"
    )


@pitfall.explains(
    r"No XPU devices are available|Failed to initialize XPU devices|XPU Device count is zero",
    odds=0.93,
)
def no_card(failure: Failure) -> Hits:
    yield failure.hit(
        "no card of Intel's is seen: its driver (Level Zero) is missing or too old, or the user is not in the group `render`"
    )


@pitfall.explains(
    r"needs to work with (?P<wanted>PyTorch [\d.]+\d)\.\*, but (?P<own>PyTorch \S{1,40}) is found",
    odds=0.95,
)
def extension_for_another(failure: Failure) -> Hits:
    wanted, own = failure.groups["wanted"], failure.groups["own"]
    yield failure.hit(f"the extension wants {wanted}, and {own} is installed: the same numbers")


@pitfall.explains(
    r"Could not run '(?P<name>torch_ipex::\w{1,60})' with arguments from the 'CPU' backend",
    odds=0.93,
)
def tensors_on_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(
        f'`{failure.groups["name"]}` is for Intel\'s cards, and its tensors lie on the CPU: model and inputs by .to("xpu"), and see that '
        "torch.xpu.is_available()"
    )


@pitfall.explains(r"Failed to load the backend extension: (?P<name>[\w.]{1,60}\w)", odds=0.9)
def extension_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(
        f"`import torch` loads {failure.groups['name']}, and that fails, see the error above: its release for this PyTorch, or "
        "TORCH_DEVICE_BACKEND_AUTOLOAD=0; torch before all that uses it"
    )


pitfall.answers(
    {
        "Try running with elevated privileges": "an ordinary user may not read this of the card: sudo, or leave it out; torch.xpu.memory_allocated() counts PyTorch's own memory without",
        "Ensure the GPU driver is installed with Level Zero Sysman": "Intel's driver is missing, or lacks the part (Level Zero Sysman) by which temperature, power and load are read",
    },
    odds=0.95,
)
