r"""The PyTorch that is installed has no code for this card.

A build of PyTorch carries machine code for a list of architectures, and PTX for the newest of them, which the
driver compiles for cards that are newer still. A card that is older than the list has nothing to run; one
that is newer by a whole generation has nothing either, where the PTX was left out. New lists drop old cards:
builds for CUDA 13 begin with `sm_75`. Those for ROCm hold the few kinds of AMD's cards that it supports, and the driver
translates nothing; most cards of a generation run what was compiled for its largest.

Cure: an older build for an older card (one for CUDA 12.6 still has Maxwell and Pascal), a newer one for a newer
card. For a card of AMD's, under Linux, `HSA_OVERRIDE_GFX_VERSION=10.3.0` (RX 6000) or `11.0.0` (RX 7000).

Message (torch 1.5 to 2.13):

```text
NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation. The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.
```

Message (torch 1.8 to 2.6, with the card told beside it; `whl/cu128`):

```text
RuntimeError: CUDA error: no kernel image is available for execution on the device
Would love to use my 5090.
```

Message (torch 1.7, on a card of Ampere; `CUDA 11.1`):

```text
I have an RTX 3090.
RuntimeError: CUDA error: no kernel image is available for execution on the device
```

Message (torch 1.6 to 2.13, on a Jetson; `for its JetPack`):

```text
Jetson Orin Nano, JetPack 6
RuntimeError: CUDA error: no kernel image is available for execution on the device
```

Message (torch 2.8 to 2.13, on an older card; `whl/cu126`):

```text
GPU: Tesla P100-PCIE-16GB
RuntimeError: CUDA error: no kernel image is available for execution on the device
```

Message (torch 1.0 to 2.13, an extension; `diff_gaussian_rasterization, which is compiled`):

```text
  File "/env/lib/python3.8/site-packages/diff_gaussian_rasterization/__init__.py", line 93, in forward
    num_rendered, color = _C.rasterize_gaussians(*args)
RuntimeError: CUDA error: no kernel image is available for execution on the device
```

Message (torch 1.0 to 2.13; `a newer PyTorch for a new card`):

```text
RuntimeError: CUDA error: no kernel image is available for execution on the device
```

Machine (an old card: `GTX 1080 is sm_61`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'\n"
[answers]
nvidia-smi = "0, NVIDIA GeForce GTX 1080, 6.1, 8192, 8000, 550.90.07\n"
torch = "sm_75 sm_80 sm_86 sm_90 sm_100 sm_120 compute_120\n"
```

Machine (a new card: `sm_120`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/env/site-packages/torch/version.py" = "__version__ = '2.5.1+cu124'\ncuda: Optional[str] = '12.4'\n"
[answers]
nvidia-smi = "0, NVIDIA GeForce RTX 5090, 12.0, 32607, 32000, 550.90.07\n"
torch = "sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90\n"
```

Machine (what extensions are built for is left from another card: `extensions that are built here`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.127.05  Tue"
[environment]
TORCH_CUDA_ARCH_LIST = "6.1;7.5"
[answers]
nvidia-smi = "0, NVIDIA A100-SXM4-80GB, 8.0, 81920, 81000, 550.127.05"
```

Sound (the code of 7.5 is translated for the newer card):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.127.05  Tue"
[environment]
TORCH_CUDA_ARCH_LIST = "6.1 7.5+PTX"
[answers]
nvidia-smi = "0, NVIDIA A100-SXM4-80GB, 8.0, 81920, 81000, 550.127.05"
```

Sound (code for a lower minor version runs; PTX is compiled for newer cards):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/env/site-packages/torch/version.py" = "__version__ = '2.5.1+cu124'\ncuda: Optional[str] = '12.4'\n"
[answers]
nvidia-smi = "0, NVIDIA GeForce RTX 4090, 8.9, 24564, 23000, 550.90.07\n1, NVIDIA GeForce RTX 5090, 12.0, 32607, 32000, 550.90.07\n"
torch = "sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90 compute_90\n"
```

Message (torch 1.3, an old card):

```text
UserWarning: Found GPU0 GeForce GT 710 which is of cuda capability 3.5. PyTorch no longer supports this GPU because it is too old.
```

Message (torch 2.8 to 2.10; `begins with 7.5`):

```text
UserWarning:
    Found GPU0 Tesla M60 which is of cuda capability 5.2.
    Minimum and Maximum cuda capability supported by this version of PyTorch is
    (7.5) - (12.0)
```

Message (torch 2.8 to 2.10; `a warning only`):

```text
UserWarning:
    Found GPU0 NVIDIA GB10 which is of cuda capability 12.1.
    Minimum and Maximum cuda capability supported by this version of PyTorch is
    (8.0) - (12.0)
```

Message (torch 2.11 to 2.13; `begins with 7.5`):

```text
UserWarning: Found GPU0 Tesla V100-SXM2-16GB which is of compute capability (CC) 7.0.
The following list shows the CCs this version of PyTorch was built for and the hardware CCs it supports:
- 7.5 which supports hardware CC >=7.5,<8.0
- 8.0 which supports hardware CC >=8.0,<9.0 except {8.7}
```

Message (torch 1.6 to 2.13; `no code for the card, sm_87: a Jetson's`):

```text
Orin with CUDA capability sm_87 is not compatible with the current PyTorch installation.
The current PyTorch install supports CUDA capabilities sm_53 sm_62 sm_90.
```

Message (torch 1.6 to 2.13, cut short; `no code for the card, sm_120: torch 2.7`):

```text
NVIDIA GeForce RTX 5070 Ti Laptop GPU with CUDA capability sm_120 is not compatible...
```

Message (torch 2.1):

```text
RuntimeError: CUDA error: device kernel image is invalid
```

Message (torch 1.8 to 2.13, ROCm; `10.3.0 (RX 6000)`):

```text
RuntimeError: HIP error: invalid device function
```

Message (Triton 2 to 3; `what Triton compiled`):

```text
RuntimeError: Triton Error [CUDA]: device kernel image is invalid
```

Message (torch 2.9 to 2.13, ROCm, with the card told beside it; `HSA_OVERRIDE_GFX_VERSION=11.0.0`):

```text
ROCm device detected: AMD Radeon RX 7600
torch.AcceleratorError: HIP error: invalid device function
```

Message (ROCm; `gfx1031`):

```text
RuntimeError: rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: Illegal seek for GPU arch : gfx1031
```

Message (ROCm 5.7; `RX 7000`):

```text
rocBLAS error: Cannot read /env/lib/python3.12/site-packages/torch/lib/rocblas/library/TensileLibrary.dat: Illegal seek
```

Message (ROCm, with an older card told beside it; `PyTorch for ROCm has no code`):

```text
Radeon RX 5700 XT
RuntimeError: HIP error: invalid device function
```

Message (ROCm 5; `its architecture`):

```text
"hipErrorNoBinaryForGpu: Unable to find code object for all current devices!"
```

Message (bitsandbytes 0.37 to 0.45, on the line above the error):

```text
Error no kernel image is available for execution on the device at line 167 in file /src/csrc/ops.cu
```

Message (ROCm 6, under HSA_OVERRIDE_GFX_VERSION of another kind):

```text
:0:rocdevice.cpp            :2660: 1234567 us: [pid:20536] Callback: Queue 0x7fb226400000 aborting with error : HSA_STATUS_ERROR_INVALID_ISA: The instruction set architecture is invalid. code: 0x100f
```

Message (bitsandbytes 0.37 to 0.41; `no kernel of that name`):

```text
Error named symbol not found at line 529 in file /src/csrc/ops.cu
```

Message (torch 1.6 to 2.13, of a library over Thrust; `the extension that raised it`):

```text
RuntimeError: radix_sort: failed on 1st step: cudaErrorInvalidDeviceFunction: invalid device function
```

Message (torch 1.0 to 2.13, of a library over Thrust; `the extension that raised it`):

```text
thrust::system::system_error: parallel_for failed: invalid device function
```

Message (PointNet++'s operators, which end the process):

```text
CUDA kernel failed : no kernel image is available for execution on the device
void group_points_kernel_wrapper(int, int, int, int, int, const float*, const int*, float*) at L:38 in pointnet2_ops/_ext-src/src/group_points_gpu.cu
```

Message (spconv 1, which tells the number alone):

```text
RuntimeError: /work/spconv/src/spconv/indice.cu 60
cuda execution failed with error 98
```

Message (tiny-cuda-nn):

```text
RuntimeError: /work/src/fully_fused_mlp.cu:850 cudaFuncSetAttribute(kernel) failed with error invalid device function
```

Message (tiny-cuda-nn, built for another card):

```text
OSError: Could not find compatible tinycudann extension for compute capability 89.
```
"""

import re

from keng.env.machine import Machine
from keng.env.nvidia import runs_on
from keng.explain.advice.cards import without_code
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables import rocm
from keng.tables.compiled_parts import LIBRARIES
from keng.tables.cuda import told_of_card

pitfall = Pitfall(__name__, __doc__, severity="error")

LISTED = "TORCH_CUDA_ARCH_LIST"


@pitfall.explains(
    r"CUDA capability (?P<card>sm_\d{2,3}) is not compatible(?P<built>.{0,80}? supports CUDA capabilities[ \w]{3,200})?",
    r"which is of (?:cuda|compute) capability (?:\(CC\) )?(?P<card>\d{1,2}\.\d)\.\s{1,9}(?P<built>(?:PyTorch no longer supports|Minimum and Maximum|"
    r"The following list).{0,400})",
    odds=0.92,
)
def told_when_cuda_starts(failure: Failure) -> Hits:
    card = failure.groups["card"]
    yield failure.hit(told_of_card(card, failure.groups.get("built", "")))


@pitfall.explains(
    r"(?:^|[Ee]rror (?=no k)|kernel failed ?: |failed with error (?:\d{1,3} )?|[Ee]rror(?: in \w{1,80}| \(.{1,300}?\)| \(\d+\) )?: )(?:no kernel image is available "
    r"for execution on the device|device kernel image is invalid|invalid device function)",
    r"rocBLAS error: Cannot read \S{1,300}?TensileLibrary.{0,99}?(?:GPU arch ?: (?P<card>gfx\w+)|$)",
    r"rocBLAS error: .{0,160}?GPU arch ?: (?P<card>gfx\w+)|[Cc]ode object build failed|hipErrorNoBinaryForGpu",
    r"HSA_STATUS_ERROR_INVALID_ISA|HIP error: shared object initialization failed|cuda execution failed with error (?:8|48|98|209)(?!\d)|"
    r"Could not find compatible tinycudann extension|cudaError(?:NoKernelImageForDevice|InvalidDeviceFunction): ",
    r"\b(?:parallel_for|reduce|transform|inclusive_scan|\w{2,10}_sort)\b:? failed[\w ]{0,30}: (?:invalid device function|no kernel image)",
    r"Triton Error \[(?:CUDA|HIP)\]: (?:Code: 209, Mes+age: )?(?:device kernel image is invalid|no kernel image)",
    odds=0.9,
)
def no_code_for_the_card(failure: Failure) -> Hits:
    card = failure.groups.get("card") or "its architecture"
    near = rocm.told_of_card(f"{failure.message} {failure.told}", card)
    yield failure.hit(near or without_code(failure, LIBRARIES))


@pitfall.probes
def architecture_not_built(machine: Machine) -> Hits:
    torch = machine.torch
    if torch is None or not torch.cuda or not machine.driver:
        return
    built = machine.answer("torch").split()
    for card in machine.cards_answered() if built else ():
        if runs_on(card["compute_cap"], built):
            continue
        yield machine.hit(
            f"the {card['name']} is sm_{card['compute_cap'].replace('.', '')}, and PyTorch "
            f"{torch.version} has code for {built[0]} to {built[-1]}: no kernel runs on it",
            "pip install --force-reinstall torch",
            {"nvidia-smi": f"{card['name']}, {card['compute_cap']}", "torch": " ".join(built)},
        )


@pitfall.probes
def extensions_for_other_cards(machine: Machine) -> Hits:
    listed = machine.variable(LISTED)
    names = re.split(r"[ ;,]+", listed.strip())
    if not machine.driver or not all(
        re.fullmatch(r"\d{1,2}\.\d[af]?(\+PTX)?", name) for name in names
    ):
        return
    kinds = ((name, "compute" if name.endswith("+PTX") else "sm") for name in names)
    built = [f"{kind}_{re.sub(r'[^0-9]', '', name)}" for name, kind in kinds]
    for card in machine.cards_answered():
        if not runs_on(card["compute_cap"], built):
            yield machine.hit(
                f"`{LISTED}` is {listed}, and the {card['name']} is {card['compute_cap']}: extensions that "
                "are built here do not run on it",
                f"unset {LISTED}",
                {f"${LISTED}": listed, "nvidia-smi": f"{card['name']}, {card['compute_cap']}"},
            )
            return


pitfall.answers(
    {
        "named symbol not found": "a compiled library has no kernel of that name for this card: it was built for other cards, or is mixed of two versions; install a build for this card",
    },
    odds=0.75,
)
