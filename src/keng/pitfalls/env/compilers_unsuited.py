r"""The C++ compiler, nvcc and PyTorch do not fit each other.

`nvcc` hands the C++ of the host to gcc or Visual Studio and reads their headers: each release takes a range of versions. PyTorch asks for the versions before it builds
an extension, and its own headers want a C++ standard and flags that an old `nvcc` does not know.

Cure: a compiler within the range beside the newer one, `export CC=gcc-11 CXX=g++-11`, or `conda install -c conda-forge gxx=11`; else the toolkit of
PyTorch's own CUDA.

Bad:

```python
from torch.utils.cpp_extension import load

ops = load("ops", ["ops.cu"])
```

Good:

```python
import os

os.environ["CC"], os.environ["CXX"] = "gcc-11", "g++-11"
```

Message (torch 1.13, a compiler that is too new; `12.2.1`):

```text
RuntimeError: The current installed version of g++ (12.2.1) is greater than the maximum required version by CUDA 11.7 (11.5.0). Please make sure to use an adequate version of g++ (>=6.0.0, <=11.5.0).
```

Message (torch 1.13 to 2.13, a compiler that is too old; `4.8.5`):

```text
RuntimeError: The current installed version of g++ (4.8.5) is less than the minimum required version by CUDA 11.3 (5.0.0). Please make sure to use an adequate version of g++ (>=5.0.0, <=10.0.0).
```

Message (nvcc 11.1 and gcc 11; `headers`):

```text
/usr/include/c++/11/bits/std_function.h:435:145: error: parameter packs not expanded with '...':
```

Message (nvcc 11, a Visual Studio that is too new; `2017 and 2022`):

```text
fatal error C1189: #error:  -- unsupported Microsoft Visual Studio version! Only the versions between 2017 and 2022 (inclusive) are supported! The nvcc flag '-allow-unsupported-compiler' can be used to override this version check
```

Message (Visual Studio 2022 17.10; `12.4`):

```text
C:/Program Files/Microsoft Visual Studio/2022/Community/VC/Tools/MSVC/14.40.33807/include/yvals_core.h(902): error: static assertion failed with "error STL1002: Unexpected compiler version, expected CUDA 12.4 or newer."
```

Message (nvcc 10.1; `-generate-dependencies-with-compile`):

```text
nvcc fatal   : Unknown option '-generate-dependencies-with-compile'
```

Message (nvcc 10.2; `c++17`):

```text
nvcc fatal   : Value 'c++17' is not defined for option 'std'
```

Message (Windows; `cl.exe`):

```text
nvcc fatal   : Cannot find compiler 'cl.exe' in PATH
```

Message (nvcc 11 and gcc 12):

```text
/env/lib/python3.8/site-packages/torch/include/pybind11/cast.h:1429:7: error: expected template-name before '<' token
```

Message (nvcc of CUDA 11.0, an RTX 3090; `compute_86`):

```text
nvcc fatal   : Unsupported gpu architecture 'compute_86'
```

Message (nvcc of CUDA 12, an old setup.py; `has dropped compute_35`):

```text
nvcc fatal   : Unsupported gpu architecture 'compute_35'
```

Message (torch 1.8 to 2.13; `8.9`):

```text
ValueError: Unknown CUDA arch (8.9) or GPU not supported
```

Message (detectron2 under Windows; `nms_rotated_cuda.cu`):

```text
detectron2\layers\csrc\nms_rotated\nms_rotated_cuda.cu(14): error: name must be a namespace name
```

Message (nvcc 12 and 13.0, with a C library of 2025; `C library`):

```text
/usr/local/cuda-12.9/include/crt/math_functions.h(2556): error: exception specification is incompatible with that of previous function "cospi" (declared at line 79 of /usr/include/x86_64-linux-gnu/bits/mathcalls.h)
```

Message (nvcc; `install g++`):

```text
nvcc fatal   : No supported gcc/g++ host compiler found, but clang-14 is available.
```

Message (torch 1.0 to 2.13, a warning; `--version`):

```text
Your compiler (c++) is not compatible with the compiler Pytorch was
built with for this platform, which is g++ on linux. Please
use g++ to to compile your extension. Alternatively, you may
compile PyTorch from source using c++, and then you can also use
c++ to compile your extension.
Segmentation fault (core dumped)
```

Message (torch 1.0 to 2.13, a warning; `too old`):

```text
Your compiler (g++ 4.8.5) may be ABI-incompatible with PyTorch!
Please use a compiler that is ABI-compatible with GCC 5.0 and above.
```

Message (torch 2.3 to 2.13, of an extension; `9 since torch 2.3`):

```text
/env/lib/python3.10/site-packages/torch/include/c10/util/C++17.h:13:2: error: #error "You're trying to build PyTorch with a too old version of GCC. We need GCC 9 or later."
```
"""

from keng.explain.advice.cards import not_known_to_nvcc
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.cuda import HOST_COMPILERS

pitfall = Pitfall(__name__, __doc__, severity="error", needs="compilers that do not fit")
pitfall.answers(HOST_COMPILERS, odds=0.8)


@pitfall.explains(
    r"current installed version of (?P<name>\S{1,120}) \((?P<own>[\d.]+)\) is (?P<way>less|greater) than the (?:minimum|maximum) required "
    r"version by CUDA (?P<cuda>\d{1,2}\.\d{1,2})(?:.{0,200}?\((?P<bounds>>=[^()]{1,60})\))?",
    odds=0.97,
)
def compiler_out_of_bounds(failure: Failure) -> Hits:
    name, own, way, cuda, bounds = failure.groups.values()
    too = "old" if way == "less" else "new"
    yield failure.hit(
        f"{name.rpartition('/')[2]} {own} is too {too} for CUDA {cuda}{f', which takes {bounds}' if bounds else ''}: export CC= and CXX= of another one, or another toolkit"
    )


@pitfall.explains(
    r"std_function\.h:\d+:\d+: error: parameter packs not expanded with",
    r"pybind11/(?:detail/\.\./)?cast\.h\S{0,12} error: expected template-name before",
    r"error: exception specification is incompatible with that of previous function \"(?:rsqrt|cospi|sinpi)f?\"",
    odds=0.9,
)
def headers_not_read(failure: Failure) -> Hits:
    yield failure.hit(
        "this nvcc cannot read the headers of this gcc or C library: an older gcc (CC, CXX), or a newer toolkit"
    )


@pitfall.explains(
    r"unsupported Microsoft Visual Studio version! Only the versions (?:between )?(?P<takes>(?:\d{4}, ){0,4}\d{4},? and \d{4})",
    r"Unexpected compiler version, expected CUDA (?P<wants>[\d.]+\d) or newer",
    odds=0.95,
)
def visual_studio_too_new(failure: Failure) -> Hits:
    takes, wants = failure.groups.get("takes"), failure.groups.get("wants")
    told = f"nvcc takes those of {takes}" if takes else f"it wants CUDA {wants}"
    yield failure.hit(
        f"Visual Studio is newer than this nvcc, and {told}: a newer toolkit, or older build tools beside it"
    )


@pitfall.explains(
    r"nvcc fatal {1,5}: Unknown option '(?P<option>-?-generate-dependencies-with-compile)'",
    r"nvcc fatal {1,5}: Value '(?P<option>c\+\+\d\d)' is not defined for option 'std'",
    odds=0.95,
)
def nvcc_too_old(failure: Failure) -> Hits:
    yield failure.hit(
        f"nvcc is too old for this PyTorch, as it does not know {failure.groups['option']}: a toolkit of PyTorch's own CUDA"
    )


@pitfall.explains(
    r"nvcc fatal {1,5}: (?:Cannot find compiler '|No supported )(?P<what>[\w.+/-]+)", odds=0.95
)
def host_compiler_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"nvcc finds no {failure.groups['what']}: install g++, or Visual Studio Build Tools with its x64 Native Tools prompt"
    )


@pitfall.explains(
    r"nvcc fatal {1,5}: Unsupported gpu architecture '(?P<arch>[\w.]+)'",
    r"Unknown CUDA arch \((?P<arch>[\w.]+)\) or GPU not supported",
    odds=0.95,
)
def card_not_known(failure: Failure) -> Hits:
    yield failure.hit(not_known_to_nvcc(failure.groups["arch"]))


@pitfall.explains(
    r"[\\/]csrc[\\/](?:[^\s:]{0,200}[\\/])?(?P<file>[\w-]{1,80}\.cuh?)[(:]\d+\)?:(?:\d+:)? error: (?P<says>[^\n]{3,120})",
    odds=0.7,
)
def source_refused(failure: Failure) -> Hits:
    file, says = failure.groups["file"], failure.groups["says"]
    yield failure.hit(
        f"nvcc does not take {file} ({says.rstrip('. ')}): another toolkit or compiler than the package was tried with, or sources for another torch"
    )
