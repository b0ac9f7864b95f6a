r"""A build under Windows does not find the parts of Visual Studio or Python.

PyTorch compiles an extension with `cl` of Visual Studio, which works only where its batch file has set the paths of headers and libraries: in the x64
Native Tools prompt, or through nvcc, which runs `vcvars64.bat` itself and fails where `PATH` is too long or holds quotes. The linker wants
`libs\python3X.lib` too, which a Python that was unpacked, as ComfyUI's `python_embeded`, does not bring.

Cure: Visual Studio Build Tools with "Desktop development with C++"; the x64 Native Tools prompt, the environment activated in it, and `set
DISTUTILS_USE_SDK=1`; for an embedded Python the folders `include` and `libs` of the full Python of the same version; or a wheel that is built already.

Bad:

```python
from torch.utils.cpp_extension import load

ops = load("ops", ["ops.cpp"])
```

Good:

```python
import os

os.environ["DISTUTILS_USE_SDK"] = "1"  # in the x64 Native Tools prompt
```

Message (torch 1.5 to 2.13):

```text
RuntimeError: MSVC is required to load C++ extensions
```

Message (torch 1.8 to 2.13; `DISTUTILS_USE_SDK`):

```text
UserWarning: It seems that the VC environment is activated but DISTUTILS_USE_SDK is not set.This may lead to multiple activations of the VC env.Please set `DISTUTILS_USE_SDK=1` and try again.
```

Message (nvcc; `Native Tools`):

```text
nvcc fatal   : Could not set up the environment for Microsoft Visual Studio using 'C:/Program Files (x86)/Microsoft Visual Studio/2019/Community/VC/Auxiliary/Build/vcvars64.bat'
```

Message (the linker, under an embedded Python; `python312.lib`):

```text
LINK : fatal error LNK1104: cannot open file 'python312.lib'
```

Message (a package for torch is compiled):

```text
building 'torch_scatter._scatter_cpu' extension
error: Microsoft Visual C++ 14.0 is required. Get it with "Microsoft Visual C++ Build Tools": https://visualstudio.microsoft.com/downloads/
```

Message (the compiler, called outside of its prompt; `crtdefs.h`):

```text
C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.1\include\crt/host_config.h(231): fatal error C1083: Cannot open include file: 'crtdefs.h': No such file or directory
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Windows without a compiler")

PROMPT = (
    "start from the x64 Native Tools prompt of Visual Studio, and activate the environment in it"
)


@pitfall.explains(
    r"MSVC is required to load C\+\+ extensions|Could not set up the environment for Microsoft Visual Studio",
    r"building '(?:\w*torch|detectron2|apex|mmcv|pytorch3d|pointnet2|xformers)[\w.]{0,60}' extension[^×]{0,300}?Microsoft Visual C\+\+ 14",
    odds=0.95,
)
def no_compiler(failure: Failure) -> Hits:
    yield failure.hit(f"no C++ compiler of Visual Studio is ready: {PROMPT}")


@pitfall.explains(r"VC environment is activated but DISTUTILS_USE_SDK is not set", odds=0.95)
def prompt_not_told(failure: Failure) -> Hits:
    yield failure.hit(
        "the build would set up Visual Studio a second time: set DISTUTILS_USE_SDK=1, then again"
    )


@pitfall.explains(
    r"fatal error C1083: .{0,60}?: ['\"](?P<file>crtdefs\.h|corecrt\.h|stdlib\.h|stddef\.h|algorithm|cstddef|omp\.h)",
    odds=0.7,
)
def headers_missing(failure: Failure) -> Hits:
    yield failure.hit(f"the compiler does not find its own {failure.groups['file']}: {PROMPT}")


@pitfall.explains(r"LNK1104: [^']{3,60}'(?P<file>python3\d{0,2}t?\.lib)'", odds=0.9)
def python_without_libs(failure: Failure) -> Hits:
    yield failure.hit(
        f"this Python has no {failure.groups['file']}, as an embedded one: copy `include` and `libs` from the full Python of the same version"
    )
