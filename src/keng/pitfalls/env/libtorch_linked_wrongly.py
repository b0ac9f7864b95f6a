r"""A program in C++ does not find libtorch, or is compiled otherwise than it.

CMake looks for `TorchConfig.cmake`, which lies in `share/cmake/Torch` of libtorch or of an installed torch, and has to be told where. A libtorch with CUDA wants the
toolkit too; in CUDA 12 the old library `nvToolsExt`, which CMake files of PyTorch ask for, is not always there, and since 12.9 never. The linker's `undefined reference` to
`c10::` or `torch::` functions that take a `std::__cxx11` string means that the program has gcc's newer strings and libtorch the older ones, as wheels
had until 2.6; without `__cxx11` that the libraries are not linked at all.

Cure: `cmake -DCMAKE_PREFIX_PATH=$(python -c 'import torch; print(torch.utils.cmake_prefix_path)') ..`; link with `${TORCH_LIBRARIES}` and compile with
`${TORCH_CXX_FLAGS}`, which set the same strings; the libtorch that is called cxx11-abi; under Windows a release build with a release libtorch.

Bad:

```python
import subprocess

subprocess.run(["cmake", "-S", ".", "-B", "build"], check=True)
```

Good:

```python
import torch

print(f"cmake -DCMAKE_PREFIX_PATH={torch.utils.cmake_prefix_path} ..")
```

Message (gcc; `torch/script.h`):

```text
main.cpp:9:24: error: 'load' is not a member of 'torch::jit'
```

Message (MSVC; `torch/script.h`):

```text
error C2039: 'load': is not a member of 'torch::jit'
```

Message (CMake; `CMAKE_PREFIX_PATH`):

```text
CMake Error at CMakeLists.txt:5 (find_package):
  By not providing "FindTorch.cmake" in CMAKE_MODULE_PATH this project has
  asked CMake to find a package configuration file provided by "Torch", but
  CMake did not find one.
```

Message (CMake, a libtorch with CUDA; `toolkit`):

```text
CMake Error at /libtorch/share/cmake/Caffe2/Caffe2Config.cmake:90 (message):
  Your installed Caffe2 version uses CUDA but I cannot find the CUDA
  libraries.  Please set the proper CUDA prefixes and / or install CUDA.
```

Message (CMake, PyTorch 2.5 with a CUDA toolkit of 2025; `nvToolsExt`):

```text
CMake Error at /env/lib/python3.10/site-packages/torch/share/cmake/Caffe2/public/cuda.cmake:162 (set_property):
  The link interface of target "torch::nvtoolsext" contains:

    CUDA::nvToolsExt

  but the target was not found.
```

Message (gcc; `strings`):

```text
undefined reference to `c10::detail::torchCheckFail(char const*, char const*, unsigned int, std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)'
```

Message (gcc; `TORCH_LIBRARIES`):

```text
undefined reference to `at::_ops::zeros::call(c10::ArrayRef<c10::SymInt>, std::optional<c10::ScalarType>)'
```

Message (Visual Studio; `TORCH_LIBRARIES`):

```text
error LNK2001: unresolved external symbol "public: long * __cdecl at::Tensor::data_ptr<long>(void)const "
```

Message (Visual Studio; `torch.lib`):

```text
LINK : fatal error LNK1181: cannot open input file 'torch.lib'
```

Message (a program linked by hand; `libtorch.so`):

```text
./regression: error while loading shared libraries: libtorch.so: cannot open shared object file: No such file or directory
```

Message (Windows; `c10.dll`):

```text
The code execution cannot proceed because c10.dll was not found. Reinstalling the program may fix this problem.
```

Message (a library that is used and not named to the linker; `_ZN3c106detail`):

```text
/usr/bin/ld: main.cpp.o: undefined reference to symbol '_ZN3c106detail23torchInternalAssertFailEPKcS2_jS2_S2_'
/usr/bin/ld: /opt/libtorch/lib/libc10.so: error adding symbols: DSO missing from command line
```

Message (CMake; `CUDA_HOME`):

```text
-- Found Torch: /opt/libtorch/lib/libtorch.so
CMake Error at CMakeLists.txt:3 (enable_language):
  No CMAKE_CUDA_COMPILER could be found.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a build by CMake")


@pitfall.explains(
    r"By not providing \"FindTorch\.cmake\"|package configuration file provided by \"Torch\"",
    odds=0.97,
)
def not_found(failure: Failure) -> Hits:
    yield failure.hit(
        "CMake is not told where libtorch is: -DCMAKE_PREFIX_PATH= with torch.utils.cmake_prefix_path, or the unpacked libtorch"
    )


@pitfall.explains(
    r"Your installed Caffe2 version uses CUDA but I cannot find the CUDA",
    r"No CMAKE_CUDA_COMPILER could be found",
    odds=0.95,
)
def without_the_toolkit(failure: Failure) -> Hits:
    if "Caffe2" not in failure.message and not failure.beside_torch:
        return  # any program's
    yield failure.hit(
        "this libtorch is one with CUDA, and there is no CUDA toolkit: install it and set CUDA_HOME, or take the libtorch for the CPU"
    )


@pitfall.explains(
    r"The link interface of target \"torch::nvtoolsext\"|Failed to find nvToolsExt|libnvToolsExt\.so', needed by",
    odds=0.95,
)
def without_nvtx(failure: Failure) -> Hits:
    yield failure.hit(
        "this PyTorch asks CMake for nvToolsExt, which newer CUDA toolkits lack: a newer PyTorch, an older toolkit, or an interface library CUDA::nvToolsExt on CUDA::nvtx3"
    )


@pitfall.explains(
    r"undefined reference to .(?P<what>(?:vtable for )?(?:c10|at|torch)::[\w:]{1,80})(?P<new>.{0,300}?__cxx11)?",
    r"undefined reference to symbol '(?P<what>_ZN(?:3c10|2at|5torch)\w+)'",
    r"LNK20(?:01|19): unresolved external symbol .{0,80}?\b(?P<what>(?:c10|at|torch)::[\w:]{1,80})",
    odds=0.93,
)
def not_linked(failure: Failure) -> Hits:
    what = failure.groups["what"].rstrip(":")
    if failure.groups.get("new"):
        yield failure.hit(
            f"`{what}` is there with the older strings of gcc: compile with ${{TORCH_CXX_FLAGS}}, or take the libtorch called cxx11-abi"
        )
        return
    yield failure.hit(
        f"`{what}` is in none of the libraries that are linked: ${{TORCH_LIBRARIES}}, of the same version as the headers"
    )


@pitfall.explains(
    r"loading shared libraries: (?P<file>lib(?:torch|c10)\w*\.so): cannot open",
    r"(?P<file>(?:c10|torch\w*)\.dll) was not found",
    odds=0.95,
)
def library_not_at_hand(failure: Failure) -> Hits:
    yield failure.hit(
        f"the program is built, and does not find {failure.groups['file']} when it starts: LD_LIBRARY_PATH with libtorch/lib; under Windows "
        "the DLLs beside the program"
    )


@pitfall.explains(
    r"LNK1181: cannot open input file '(?P<file>(?:torch|c10|caffe2)\w*\.lib)'", odds=0.95
)
def library_not_found(failure: Failure) -> Hits:
    yield failure.hit(
        f"the linker does not find {failure.groups['file']}: add the folder torch/lib to the library paths"
    )


@pitfall.explains(
    r"'(?P<what>\w{1,60})':? is not a member of '(?P<where>torch(?:::\w{1,40})*)'", odds=0.93
)
def header_not_included(failure: Failure) -> Hits:
    what, where = failure.groups["what"], failure.groups["where"]
    header = "torch/script.h" if where == "torch::jit" else "torch/torch.h"
    yield failure.hit(
        f"`{where}::{what}` is declared in a header that is not included: #include <{header}>"
    )
