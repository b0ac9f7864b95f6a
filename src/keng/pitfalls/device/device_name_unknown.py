r"""A device is named that there is not.

A device is `cpu`, `cuda`, `cuda:1`, `mps`, `xpu` and so on: not `gpu`, not `cuda:auto`, not `cuda:0,1`, which are
spellings of other programs. A number is one of the cards that this process sees, counted from zero after
`CUDA_VISIBLE_DEVICES`. A build of PyTorch knows only the kinds that it was compiled for.

Cure: `torch.device("cuda" if torch.cuda.is_available() else "cpu")`; `torch.accelerator.current_accelerator()` where any
kind will do; the build for that device from the page of the installer.

Bad:

```python
import torch

device = torch.device("gpu")  # seen: `gpu`
```

Bad (several at once):

```python
import torch

x = torch.ones(2).to("cuda:0,1")  # seen: `cuda:0,1`
```

Bad (a build without it):

```python
import torch

x = torch.ones(2, device="xpu")  # seen: `XPU`
```

Good:

```python
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2).to(device)
```

Message (torch 1.0 to 2.13, of DataParallel with cards that are not there):

```text
AssertionError: Invalid device id
```

Message (torch 2.0 to 2.13, on a machine that is no Mac; `MPS`):

```text
RuntimeError: PyTorch is not linked with support for mps devices
```

Message (torch 1.12 to 2.13; `macOS`):

```text
RuntimeError: The MPS backend is supported on MacOS 12.3+.Current OS version can be queried using `sw_vers`
```

Message (torch 1.0 to 2.13; `-1`):

```text
RuntimeError: Device index must not be negative
```

Message (torch 1.0 to 2.13; `-1`):

```text
RuntimeError: Device index must be -1 or non-negative, got -2
```

Message (torch 2.0 to 2.13; `card 1`):

```text
RuntimeError: device >= 0 && device < num_gpus INTERNAL ASSERT FAILED at "/pytorch/aten/src/ATen/cuda/CUDAContext.cpp":52, please report a bug to PyTorch. device=1, num_gpus=1
```

Message (Lightning 1 and 2; `[0, 1, 2, 3]`):

```text
MisconfigurationException: You requested gpu: [0, 1, 2, 3]
 But your machine only has: [0]
```

Message (torch 1.0 to 2.13; `privateuseone:0`):

```text
ValueError: Expected a cuda device, but got: privateuseone:0
```

Message (torch 2.4 to 2.13; `XPU`):

```text
RuntimeError: PyTorch was compiled without XPU support
```

Message (torch 2.0 to 2.4; `mps`):

```text
RuntimeError: User specified an unsupported autocast device_type 'mps'
```

Message (torch 1.0 to 1.5; `cuda:0`):

```text
ValueError: Expected a cuda device with a specified index or an integer, but got:cuda
```

Message (torch 2.13; `cuda:0`):

```text
ValueError: Expected a torch.device with a specified index or an integer, but got:cuda
```

Message (torch 2.4; `cuda:0`):

```text
ValueError: init_process_group device_id parameter must be a cuda device with an id, e.g. cuda:0, not just cuda or cpu
```

Message (torch 1.10 to 2.0; `cuda and cpu alone`):

```text
RuntimeError: User specified autocast device_type must be 'cuda' or 'cpu'
```

Message (torch before 1.12; `it came with 1.12`):

```text
RuntimeError: Expected one of cpu, cuda, xpu, mkldnn, opengl, opencl, ideep, hip, msnpu, mlc, xla, vulkan, meta, hpu device type at start of device string: mps
```

Message (torch 2.13; `of AMD's too`):

```text
RuntimeError: Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: gpu
```

Message (torch 2.13, a card of Huawei's; `import torch_npu before`):

```text
RuntimeError: Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: npu
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.device_names import no_device, of_another_build

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"device type at start of device string: (?P<name>\S{1,40})",
    r"Invalid device string: '(?P<name>[^']{0,60})'",
    odds=0.97,
)
def no_such_name(failure: Failure) -> Hits:
    yield failure.hit(no_device(failure.groups["name"]))


NUMBER = "one card is to be named here, by its number or as cuda:0, and cuda alone may be any"
KINDS = "autocast of this PyTorch knows cuda and cpu alone: a newer one, or without autocast there"
pitfall.answers(
    {
        "index or an integer, but got:": NUMBER,
        "device_id parameter must be a cuda device with an id": NUMBER,
        "User specified autocast device_type must be": KINDS,
        "Device index must not be negative": "a device of number -1, which some programs take for the CPU, is none: 'cpu'",
        "Device index must be -1 or non-negative": "a device of number -1, which some programs take for the CPU, is none: 'cpu'",
        "The MPS backend is supported on MacOS": "macOS is older than 12.3, the first with MPS: update it, or take the CPU",
    },
    odds=0.95,
)


@pitfall.explains(r"\bInvalid device id\b", odds=0.85)
def no_such_number(failure: Failure) -> Hits:
    yield failure.hit(
        "a card of that number is not seen: they count from 0 after CUDA_VISIBLE_DEVICES"
    )


@pitfall.explains(
    r"Torch not compiled with (?P<kind>XPU|MTIA|HPU) enabled|PyTorch was compiled without (?P<other>XPU) support",
    r"PyTorch is not linked with support for (?P<kind>\w+) devices",
    odds=0.95,
)
def not_of_this_build(failure: Failure) -> Hits:
    yield failure.hit(of_another_build((failure.groups["kind"] or failure.groups["other"]).upper()))


@pitfall.explains(
    r"device >= 0 && device < num_gpus INTERNAL ASSERT FAILED(?:.{1,200}?device=(?P<card>\d+), num_gpus=(?P<there>\d+))?",
    odds=0.9,
)
def counted_before_they_changed(failure: Failure) -> Hits:
    card, there = failure.groups["card"], failure.groups["there"]
    which = (
        f"card {card} is used, and CUDA knows {there}, fewer" if there else "CUDA knows fewer cards"
    )
    yield failure.hit(
        f"{which} than were counted: set CUDA_VISIBLE_DEVICES before torch is imported; else a card has failed"
    )


@pitfall.explains(
    r"You requested (?:gpu|GPUs): (?P<wants>\[[\d, ]{1,60}\])(?: But your machine only has: (?P<has>\[[\d, ]{0,60}\]))?",
    odds=0.95,
)
def more_cards_than_there_are(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"] or "fewer"
    yield failure.hit(
        f"the trainer is to use the cards {wants}, and {has} are seen: fewer `devices`, or CUDA_VISIBLE_DEVICES"
    )


@pitfall.explains(
    r"Expected an? (?P<kind>cuda|xpu|mps|non cpu)(?: or cpu)? device, but got: (?P<device>[\w:]{1,40})",
    odds=0.93,
)
def of_another_kind(failure: Failure) -> Hits:
    kind, device = failure.groups["kind"], failure.groups["device"]
    yield failure.hit(
        f"a function for {kind} devices is asked about {device}: leave it out there, or torch.accelerator has its like"
    )


@pitfall.explains(r"unsupported autocast device_type '(?P<device>\w{1,40})'", odds=0.95)
def not_under_autocast(failure: Failure) -> Hits:
    yield failure.hit(
        f"autocast of this PyTorch does not know {failure.groups['device']}: a newer one, or without autocast there"
    )
