r"""`torchvision` or `torchaudio` belongs to another PyTorch.

Both are compiled against one PyTorch and fit no other: 0.24 of torchvision belongs to 2.9 of PyTorch. Where one of
them was updated alone, or came for another CUDA, its operators cannot be registered, and the first import
or the first `nms` fails.

Cure: install them together, in one command and from one index: `pip install torch torchvision torchaudio`.

Message (torch 1.8 to 2.13):

```text
RuntimeError: operator torchvision::nms does not exist
```

Message (torch 2.0 to 2.13, of two CUDA versions; `from one index`):

```text
RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA major versions. PyTorch has CUDA Version=12.8 and torchvision has CUDA Version=11.8. Please reinstall the torchvision that matches your PyTorch install.
```

Message (torch 2.3, with another package; `torchao asks for what came with torch 2.4`):

```text
  File "/env/lib/python3.10/site-packages/torchao/ops.py", line 12, in <module>
    lib = torch.library.register_fake
AttributeError: module 'torch.library' has no attribute 'register_fake'
```

Message (torch 2.3, with torchvision 0.19, made for 2.4; `2.9 and 0.24`):

```text
AttributeError: module 'torch.library' has no attribute 'register_fake'
```

Machine (`torchvision 0.19.0 wants torch 2.4.0`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0.dist-info/METADATA" = "Name: torch\n"
"/env/site-packages/torchvision-0.19.0.dist-info/METADATA" = "Name: torchvision\nRequires-Dist: numpy\nRequires-Dist: torch==2.4.0\n"
```

Machine (of two builds: `torchaudio 2.9.0+cpu`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0+cu128.dist-info/METADATA" = "Name: torch\n"
"/env/site-packages/torchaudio-2.9.0+cpu.dist-info/METADATA" = "Name: torchaudio\nRequires-Dist: torch==2.9.0\n"
```

Sound (they belong together; a build of one's own that asks for nothing):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0+cu128.dist-info/METADATA" = "Name: torch\n"
"/env/site-packages/torchvision-0.24.0+cu128.dist-info/METADATA" = "Name: torchvision\nRequires-Dist: torch==2.9.0\n"
"/env/site-packages/torchaudio-2.9.0a0+5d9e3b.nv25.dist-info/METADATA" = "Name: torchaudio\nRequires-Dist: torch\n"
```

Message (torch 2.0, torchvision without CUDA; `from one index`):

```text
NotImplementedError: Could not run 'torchvision::nms' with arguments from the 'CUDA' backend. This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process
```

Message (torch 2.0):

```text
RuntimeError: Couldn't load custom C++ ops. This can happen if your PyTorch and torchvision versions are incompatible, or if you had errors while compiling torchvision from source.
```

Message (torch 1.0 to 1.9, of a scripted model or detectron):

```text
RuntimeError: No such operator torchvision::nms
```

Message (torch 1.0 to 2.13, an image reader that does not load; `torchvision.io`):

```text
UserWarning: Failed to load image Python extension: 'libjpeg.so.8: cannot open shared object file: No such file or directory'If you don't plan on using image functionality from `torchvision.io`, you can ignore this warning.
```

Message (torch 1.13 with torchvision 0.16):

```text
Traceback (most recent call last):
  File "train.py", line 2, in <module>
    import torchvision
  File "/env/lib/python3.10/site-packages/torchvision/_meta_registrations.py", line 4, in <module>
    import torch._custom_ops
ModuleNotFoundError: No module named 'torch._custom_ops'
```

Message (torch 1.12 with torchaudio 2.0):

```text
Traceback (most recent call last):
  File "/env/lib/python3.10/site-packages/torchaudio/_extension/utils.py", line 6, in <module>
    from torch._ops import OpOverload
ImportError: cannot import name 'OpOverload' from 'torch._ops' (/env/lib/python3.10/site-packages/torch/_ops.py)
```

Message (torch 1.13 with torchtext 0.15):

```text
OSError: /usr/local/lib/python3.9/dist-packages/torchtext/lib/libtorchtext.so: undefined symbol: _ZN2at4_ops10select_int4callERKNS_6TensorElN3c106SymIntE
```

Message (torch 1.10 with a torchaudio for ROCm; `torchaudio was compiled`):

```text
Traceback (most recent call last):
  File "train.py", line 1, in <module>
    import torchaudio
  File "/env/lib/python3.8/site-packages/torchaudio/_extension.py", line 27, in <module>
    _init_extension()
  File "/usr/lib/python3.8/ctypes/__init__.py", line 373, in __init__
    self._handle = _dlopen(self._name, mode)
OSError: libtorch_hip.so: cannot open shared object file: No such file or directory
```

Message (torch 1.4 on a Mac):

```text
OSError: dlopen(/env/lib/python3.8/site-packages/torchaudio/_torchaudio.so, 6): Symbol not found: __Z16THPVariable_WrapN2at6TensorE
```

Message (Windows):

```text
FileNotFoundError: Could not find module 'C:\env\Lib\site-packages\torchtext\lib\libtorchtext.pyd' (or one of its dependencies). Try using the full path with constructor syntax.
```

Message (torchaudio 2.0; `PyTorch and TorchAudio are for two`):

```text
RuntimeError: Detected that PyTorch and TorchAudio were compiled with different CUDA versions. PyTorch has CUDA version 11.8 whereas TorchAudio has CUDA version 11.7. Please install the TorchAudio version that matches your PyTorch version.
```

Message (torch 1.6, of a scripted operator):

```text
RuntimeError:
object has no attribute nms:
  File "/env/lib/python3.7/site-packages/torchvision/ops/boxes.py", line 40
    return torch.ops.torchvision.nms(boxes, scores, iou_threshold)
           ~~~~~~~~~~~~~~~~~~~~~~~~~ <--- HERE
```

Message (torchvision 0.17 to 0.24 beside another torch):

```text
AttributeError: partially initialized module 'torchvision' has no attribute 'extension' (most likely due to a circular import)
```
"""

import re

from keng.env.machine import Machine
from keng.env.packages import parts
from keng.explain.advice.extensions import of_another_torch
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

COMPANION = re.compile(r"[/\\](?P<name>torch(?:vision|audio|text))[/\\]")


@pitfall.explains(
    r"operator torchvision::\w+ does not exist",
    r"(?:No such operator|Unknown builtin op:) torchvision::\w+",
    r"module 'torch\.library' has no attribute 'register_fake'",
    r"PyTorch and (?P<who>torchvision|[tT]orch[aA]udio) were compiled with different CUDA",
    r"Could not run 'torchvision::\w+' with arguments from the 'CUDA' backend",
    r"Couldn't load custom C\+\+ ops|'_OpNamespace' 'torchvision' object has no attribute",
    r"partially initialized module 'torchvision' has no attribute 'extension'",
    r"\bobject has no attribute (?:nms|roi_(?:align|pool)|deform_conv2d):",
    odds=0.95,
)
def compiled_for_another(failure: Failure) -> Hits:
    yield failure.hit(of_another_torch(failure))


@pitfall.probes
def wants_another_torch(machine: Machine) -> Hits:
    packages = machine.packages
    torch = packages.get("torch")
    for name in ("torchvision", "torchaudio") if torch is not None else ():
        each = packages.get(name)
        if torch is None or each is None:
            continue
        (own, build), (_, built) = (parts(p.version) for p in (torch, each))
        wanted = machine.pins_of(each).get("torch", own).partition("+")[0]
        if wanted != own or (build and built and build != built):
            yield machine.hit(
                f"{name} {each.version} wants torch {wanted}{f'+{built}' if built else ''}, and torch is "
                f"{torch.version}: its operators are missing",
                "pip install --force-reinstall torch torchvision torchaudio",
                {f"{each.info}/METADATA": f"torch=={wanted}", torch.info: torch.version},
            )


@pitfall.explains(
    r"undefined symbol: _ZN|Symbol not found: __Z",
    r"\blib(?:torch|c10)\w*\.(?:so|dylib): cannot open shared object",
    r"Could not (?:find module|load this library:) .{0,300}?torch(?:vision|audio|text)",
    odds=0.96,
)
def library_of_another(failure: Failure) -> Hits:
    who = _who(failure)
    if who:
        yield failure.hit(f"{who} was compiled for another PyTorch: install both together")


def _who(failure: Failure, deepest: int = 3) -> str:
    """The companion whose loading failed: it is told in the message, or one of the deepest frames is its."""
    places = [failure.message, *(frame.path for frame in failure.frames[: -deepest - 1 : -1])]
    found = (COMPANION.search(place) for place in places)
    return next((match["name"] for match in found if match), "")


@pitfall.explains(r"Failed to load image Python extension", odds=0.9)
def reader_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(
        "torchvision's own readers (torchvision.io) do not load: it belongs to another PyTorch, or libjpeg and libpng are "
        "missing; harmless where Pillow reads the images"
    )


@pitfall.explains(
    r"No module named 'torch\.[\w.]+'",
    r"cannot import name '\w+' from 'torch(?:\.[\w.]+)?'",
    r"module 'torch(?:\.[\w.]+)?' has no attribute '\w+'",
    odds=0.96,
)
def asks_for_what_torch_lacks(failure: Failure) -> Hits:
    who = _who(failure, deepest=1)
    if who:
        yield failure.hit(f"{who} asks for what this torch does not have: install both together")
