r"""A build of extensions finds no headers, no card or no memory.

Code for CUDA includes the headers of CUDA's libraries, which a toolkit from conda or a slim image has only in part, and those of a PyTorch that was
built with CUDA. PyTorch builds for the cards that it sees, and in `docker build` or on a login node it sees none. ninja starts a compiler for
each core, and each takes gigabytes.

Cure: the whole toolkit and `CUDA_HOME`; `CppExtension` or `CUDAExtension` with `BuildExtension`, which know the folders; `export
TORCH_CUDA_ARCH_LIST="8.0 8.6"`; `export MAX_JOBS=2`.

Bad:

```python
from torch.utils.cpp_extension import load

ops = load("ops", ["ops.cu"])
```

Good:

```python
import os

os.environ["MAX_JOBS"] = "2"
os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0 8.6"
```

Message (causal-conv1d and Mamba; `no nvcc`):

```text
UserWarning: causal_conv1d was requested, but nvcc was not found.  Are you sure your environment has nvcc available?  If you're installing within a container from https://hub.docker.com/r/pytorch/pytorch, only images whose names contain 'devel' will provide nvcc.
```

Message (causal-conv1d and flash-attn; `11.6`):

```text
RuntimeError: causal_conv1d is only supported on CUDA 11.6 and above.  Note: make sure nvcc has a supported version by running nvcc -V.
```

Message (conda without the toolkit; `cusparse.h`):

```text
/env/lib/python3.8/site-packages/torch/include/ATen/cuda/CUDAContext.h:6:10: fatal error: cusparse.h: No such file or directory
```

Message (a build without the paths of torch; `torch/extension.h`):

```text
src/ops.cpp:1:10: fatal error: torch/extension.h: No such file or directory
```

Message (a PyTorch without CUDA; `cuda_cmake_macros.h`):

```text
/env/lib/python3.8/site-packages/torch/include/c10/cuda/CUDAMacros.h:8:10: fatal error: c10/cuda/impl/cuda_cmake_macros.h: No such file or directory
```

Message (Windows; `io.h`):

```text
C:\env\include\pyconfig.h(59): fatal error C1083: Cannot open include file: 'io.h': No such file or directory
```

Message (torch 1.5 to 2.13, on a machine without a card; `TORCH_CUDA_ARCH_LIST`):

```text
Traceback (most recent call last):
  File "setup.py", line 4, in <module>
    setup(
  File "/env/lib/python3.9/site-packages/torch/utils/cpp_extension.py", line 1606, in _get_cuda_arch_flags
    arch_list[-1] += '+PTX'
IndexError: list index out of range
```

Message (nvcc; `MAX_JOBS`):

```text
nvcc error   : 'cicc' died due to signal 9 (Kill signal)
```

Message (flash-attn and its kin, after the same; `the package is compiled here, and there is no nvcc`):

```text
NameError: name 'bare_metal_version' is not defined
```

Message (Windows; `torch/extension.h`):

```text
ops.cpp(1): fatal error C1083: Cannot open include file: 'torch/extension.h': No such file or directory
```

Message (Triton 2 to 3; `cuda`):

```text
/usr/bin/ld: cannot find -lcuda: No such file or directory
collect2: error: ld returned 1 exit status
```

Message (Triton 3, in a conda environment without the toolkit; `cuda.h`):

```text
/tmp/tmpa0stigi4/main.c:2:10: fatal error: cuda.h: No such file or directory
    2 | #include "cuda.h"
      |          ^~~~~~~~
compilation terminated.
```

Message (gcc in Chinese; `torch/extension.h`):

```text
src/ops.cpp:1:10: 致命错误：torch/extension.h：没有那个文件或目录
```

Message (Windows; `cudart`):

```text
LINK : fatal error LNK1181: cannot open input file 'cudart.lib'
```

Message (pip, --no-build-isolation; `wheel`):

```text
Traceback (most recent call last):
  File "/tmp/pip-install-x/flash-attn/setup.py", line 17, in <module>
    from wheel.bdist_wheel import bdist_wheel as _bdist_wheel
ModuleNotFoundError: No module named 'wheel'
```

Message (headers of ATen; `ATen/cuda/CUDAContext.h`):

```text
src/ops.cpp:3:10: fatal error: ATen/cuda/CUDAContext.h: No such file or directory
```

Message (Windows; `c10`):

```text
LINK : fatal error LNK1104: cannot open file 'c10.lib'
```

Message (torch 1.5 to 2.13; `extra_compile_args`):

```text
Traceback (most recent call last):
  File "setup.py", line 4, in <module>
    setup(
  File "/env/lib/python3.8/site-packages/torch/utils/cpp_extension.py", line 445, in unix_wrap_ninja_compile
    post_cflags = extra_postargs['cxx']
KeyError: 'cxx'
```

Message (deepspeed 0; `ds_report`):

```text
RuntimeError: Unable to JIT load the fused_adam op due to it not being compatible due to hardware/software issue. None
```

Message (torch 1.5 to 2.13, the other list; `nvcc`):

```text
Traceback (most recent call last):
  File "setup.py", line 4, in <module>
    setup(
  File "/env/lib/python3.8/site-packages/torch/utils/cpp_extension.py", line 581, in unix_wrap_ninja_compile
    cuda_post_cflags = extra_postargs['nvcc']
KeyError: 'nvcc'
```

Message (nvcc of half a toolkit; `cicc`):

```text
sh: 1: cicc: not found
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a compiler")

OUTSIDE = "the build does not look into torch's folders: CppExtension or torch.utils.cpp_extension.include_paths()"
HEADERS = {
    **dict.fromkeys(("torch/", "ATen/", "c10/"), OUTSIDE),
    "cuda_cmake_macros.h": "code for CUDA is compiled against a PyTorch that was built without CUDA: install one with it",
    "cuda.h": "what Triton compiles wants the headers of CUDA's toolkit: install that (conda: cuda-toolkit), then CUDA_HOME and CPATH=$CUDA_HOME/include",
    "io.h": "the headers of Windows are missing: the Windows SDK in Visual Studio's installer, and its x64 Native Tools prompt",
    "": "the headers of CUDA's libraries are missing: the whole toolkit (conda: cuda-toolkit), and CUDA_HOME",
}
"""What is said of a header, by a piece of its name; the first that fits."""


@pitfall.explains(
    r"(?:fatal error|致命错误): ?(?P<file>(?:torch|ATen|c10)/(?!cuda/impl/)[\w/]{1,80}\.h|(?:cuda_(?:runtime|fp16|bf16)|cusparse|cublas|cusolver|cufft|curand|nvToolsExt|cudnn|nccl)\w*\.h): ?(?:No such file|没有)",
    r"fatal error: c10/cuda/impl/(?P<file>cuda_cmake_macros\.h): No such file",
    r"/tmp\w{1,20}/\w{0,30}(?:main|cuda_utils|driver|launcher)\.c:\d{1,4}:\d{1,4}: fatal error: (?P<file>cuda\.h): No such file",
    r"fatal error C1083: .{0,60}?: '(?P<file>io\.h|cuda_runtime\w*\.h|(?:torch|ATen|c10)/[\w/]{1,80}\.h)'",
    odds=0.85,
)
def header_missing(failure: Failure) -> Hits:
    file = failure.groups["file"]
    yield failure.hit(f"{file}: {next(says for piece, says in HEADERS.items() if piece in file)}")


@pitfall.explains(r"list index out of range", odds=0.95)
def no_card_to_build_for(failure: Failure) -> Hits:
    if failure.frames and "+PTX" in failure.frames[-1].text:
        yield failure.hit(
            "no card is seen while the extension is built, as in docker build: say what to build for, export TORCH_CUDA_ARCH_LIST='8.0 8.6'"
        )


pitfall.answers(
    {
        "cicc: not found": "nvcc is there without its parts (cicc): the whole toolkit, not the package nvcc alone",
        "died due to signal 9": "a compiler was killed, as too many of them filled the memory: MAX_JOBS=2",
        "op due to it not being compatible": "DeepSpeed cannot build an operator of its own on this machine: `ds_report` says which toolkit, library or card is missing",
    },
    odds=0.93,
)


@pitfall.explains(
    r"(?P<what>[\w-]{2,60}) was requested, but (?:the )?nvcc was not found",
    r"name '(?P<what>bare_metal_version)' is not defined",
    r"(?P<what>[\w-]{2,60}) is only supported on CUDA (?P<least>[\d.]+\d) and (?:above|newer)",
    odds=0.93,
)
def toolkit_not_there_or_too_old(failure: Failure) -> Hits:
    what, least = failure.groups["what"], failure.groups.get("least")
    what = "the package" if what == "bare_metal_version" else what
    there = f"nvcc is older than {least}" if least else "there is no nvcc"
    yield failure.hit(
        f"{what} is compiled here, and {there}: the CUDA toolkit of this PyTorch's version, or a wheel of {what}"
    )


@pitfall.explains(
    r"cannot find -l(?P<what>cuda|cudart|nvrtc|cublas|cudnn|nccl|c10|torch\w*)\b",
    r"error LNK1(?:181|104): [^']{3,60}'(?P<what>cuda|cudart|nvrtc|cublas|cudnn|aio|c10|torch\w*)\.lib'",
    odds=0.93,
)
def library_missing(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"the linker does not find the library {what}: put its folder (for the driver /usr/lib/wsl/lib or lib64/stubs) into LIBRARY_PATH, under Windows into LIB"
    )


@pitfall.explains(
    r"No module named '(?P<what>wheel|packaging|setuptools|psutil|ninja|pybind11|numpy)'", odds=0.93
)
def tool_of_the_build_missing(failure: Failure) -> Hits:
    if failure.frames and failure.frames[-1].path.endswith("setup.py"):
        yield failure.hit(
            f"the build asks for a package that is not there: pip install {failure.groups['what']}, then again with --no-build-isolation"
        )


@pitfall.explains(r"KeyError: '(?P<what>cxx|nvcc)'", odds=0.95)
def flags_without_a_compiler(failure: Failure) -> Hits:
    if any("cpp_extension" in frame.path for frame in failure.frames):
        yield failure.hit(
            f"extra_compile_args is a dict without '{failure.groups['what']}': give it both, 'cxx' and 'nvcc', an empty list where there is nothing"
        )
