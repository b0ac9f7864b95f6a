r"""A library of PyTorch is there and cannot be loaded.

`import torch` loads its libraries, and each of them needs others. Under Windows a `.dll` that is found is reported as
"not found" when one that it needs is missing: the Visual C++ runtime above all, `libomp140` or `libiomp5md` for
`fbgemm.dll`, a cuDNN of another version on `PATH`. Under Linux it is an older `libstdc++` of the system, or
another library that has used up the room for thread-local variables.

Cure: under Windows install the current Visual C++ redistributable (x64), then reinstall PyTorch into a fresh
environment with a Python of 64 bits; under Linux `conda install -c conda-forge libstdcxx-ng`, import torch
before the other library, or `export LD_PRELOAD=` with the library that is named.

Bad:

```python
import torch

print(torch.__version__)
```

Good:

```python
import torch

print(torch.__version__, torch.version.cuda)
```

Message (torch 2.4, Windows; `libomp140.x86_64.dll`):

```text
OSError: [WinError 126] The specified module could not be found. Error loading "C:\Users\u\miniconda3\Lib\site-packages\torch\lib\fbgemm.dll" or one of its dependencies.
```

Message (torch 1.5 to 2.13, Windows; `shm.dll, or a library`):

```text
OSError: [WinError 126] The specified module could not be found. Error loading "C:\env\lib\site-packages\torch\lib\shm.dll" or one of its dependencies.
```

Message (torch 1.0 to 2.13, Windows, of 32 bits; `of 64 bits`):

```text
Traceback (most recent call last):
  File "C:\env\lib\site-packages\torch\__init__.py", line 80, in <module>
    from torch._C import *
ImportError: DLL load failed: %1 is not a valid Win32 application.
```

Message (torch 1.5 to 2.13, Windows, a library of 32 bits; `c10.dll is damaged`):

```text
OSError: [WinError 193] %1 is not a valid Win32 application. Error loading "C:\env\lib\site-packages\torch\lib\c10.dll" or one of its dependencies.
```

Message (torch 1.0 to 1.4, Windows, of two versions; `found first`):

```text
Traceback (most recent call last):
  File "C:\env\lib\site-packages\torch\__init__.py", line 80, in <module>
    from torch._C import *
ImportError: DLL load failed: The specified procedure could not be found.
```

Message (torch 1.5 to 2.13, Windows, a routine that fails; `import torch before PyQt`):

```text
OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed. Error loading "C:\env\lib\site-packages\torch\lib\c10.dll" or one of its dependencies.
```

Message (torch 1.0 to 2.13, Windows):

```text
ImportError: DLL load failed while importing _C: The specified module could not be found.
```

Message (torch 1.0, Windows):

```text
Traceback (most recent call last):
  File "train.py", line 1, in <module>
    import torch
  File "C:\env\lib\site-packages\torch\__init__.py", line 80, in <module>
    from torch._C import *
ImportError: DLL load failed: The specified module could not be found.
```

Message (torch 2.6 to 2.13, an older system; `glibc 2.17`):

```text
ImportError: /lib64/libc.so.6: version `GLIBC_2.28' not found (required by /env/lib/python3.10/site-packages/torch/lib/libtorch_cpu.so)
```

Message (torch 1.8 to 2.13, Linux; `GLIBCXX_3.4.29`):

```text
ImportError: /usr/lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /env/lib/python3.9/site-packages/torch/lib/libtorch_python.so)
```

Message (torch 1.0 to 2.13, Linux on ARM; `thread-local`):

```text
ImportError: /env/lib/python3.8/site-packages/torch/lib/../../torch.libs/libgomp-d22c30c5.so.1.0.0: cannot allocate memory in static TLS block
```

Message (torch 1.0 to 2.13, a Python that sees the source instead of the package; `torch/_C`):

```text
ModuleNotFoundError: No module named 'torch._C'
```

Message (torch 1.0 to 2.13, installed while a notebook's kernel ran, or shadowed by its source; `torch/_C`):

```text
  File "/env/lib/python3.7/site-packages/torch/__init__.py", line 84, in <module>
    __all__ += [name for name in dir(_C)
NameError: name '_C' is not defined
```

Message (torch 1.0 to 2.13, Linux):

```text
OSError: libmkl_intel_lp64.so.1: cannot open shared object file: No such file or directory
```

Message (torch 1.0 to 1.3, Linux; `thread-local`):

```text
ImportError: dlopen: cannot load any more object with static TLS
```

Message (torch 1.5, Windows):

```text
Traceback (most recent call last):
  File "C:\env\lib\site-packages\torch\__init__.py", line 81, in <module>
    ctypes.CDLL(dll)
  File "C:\env\lib\ctypes\__init__.py", line 348, in __init__
    self._handle = _dlopen(self._name, mode)
OSError: [WinError 126] The specified module could not be found
```

Message (torch 1.5 and later, Windows with Python 3.8; `c10.dll`):

```text
FileNotFoundError: Could not find module 'C:\env\Lib\site-packages\torch\lib\c10.dll' (or one of its dependencies). Try using the full path with constructor syntax.
```

Message (torch 1.0 to 2.13, a Jetson without OpenBLAS; `sgesdd`):

```text
ImportError: /env/lib/python3.8/site-packages/torch/lib/libtorch_cpu.so: undefined symbol: sgesdd
```

Message (torch 1.7 to 2.13, a folder of the source; `torch/_C`):

```text
ImportError: Failed to load PyTorch C extensions:
    It appears that PyTorch has loaded the `torch/_C` folder of the PyTorch repository rather than the C extensions which are expected in the `torch._C` namespace.
```

Message (torch 1.0 to 2.13, macOS; `libiomp5.dylib`):

```text
OSError: dlopen(/env/lib/python3.9/site-packages/torch/lib/libtorch_global_deps.dylib, 10): Library not loaded: @rpath/libiomp5.dylib
```

Message (torch 1.0 to 2.13, Linux; `libopenblas.so.0`):

```text
ImportError: libopenblas.so.0: cannot open shared object file: No such file or directory
```

Message (an extension, built on a newer system; `GLIBC_2.29`):

```text
ImportError: /lib/x86_64-linux-gnu/libm.so.6: version `GLIBC_2.29' not found (required by /env/lib/python3.8/site-packages/torch_scatter/_scatter_cpu.so)
```

Message (MKL of another version; `libmkl_avx2`):

```text
Intel MKL FATAL ERROR: Cannot load libmkl_avx2.so or libmkl_def.so.
```

Message (torch 0.2; `libshm.so`):

```text
ImportError: libshm.so: cannot open shared object file: No such file or directory
```

Message (PyTorch Geometric, which goes on without; `GLIBC_2.27`):

```text
UserWarning: An issue occurred while importing 'pyg-lib'. Disabling its usage. Stacktrace: /lib64/libm.so.6: version `GLIBC_2.27' not found
```

Message (of pyg-lib's wheel; `GLIBC_2.32`):

```text
OSError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.32' not found (required by /env/lib/python3.10/site-packages/libpyg.so)
```

Message (FlashAttention's wheel, on an older system; `GLIBC_2.32`):

```text
ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.32' not found (required by /env/lib/python3.10/site-packages/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so)
```

Message (Triton for Windows):

```text
ImportError: DLL load failed while importing libtriton: A dynamic link library (DLL) initialization routine failed.
```

Message (glibc 2.41, an older torch; `executable stack`):

```text
ImportError: libtorch_cpu.so: cannot enable executable stack as shared object requires: Invalid argument
```

Message (torch 1.7 to 2.13, before it fails; `Visual C++ runtime`):

```text
Microsoft Visual C++ Redistributable is not installed, this may lead to the DLL load failure.
It can be downloaded at https://aka.ms/vs/16/release/vc_redist.x64.exe
```

Message (torch 1.0 to 2.13, half deleted; `missing or damaged`):

```text
OSError: /env/lib/python3.10/site-packages/torch/lib/libtorch_global_deps.so: cannot open shared object file: No such file or directory
```

Message (an older copy of the library, cut short; `GLIBCXX_3.4.30`):

```text
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    import torch
  File "/env/lib/python3.10/site-packages/torch/__init__.py", line 235, in <module>
    from torch._C import *
ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.30' not found
```
"""

import re

from keng.explain.advice.libraries import missing_part, of_the_system, of_windows, unnamed
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a library that does not load")

IMPORTS = re.compile(r"[/\\]torch[/\\]__init__\.py$")
TELLS_WHO = re.compile(r"\(required by|^An issue occurred while importing '(?:pyg-lib|torch-\w+)")


@pitfall.explains(
    r"Error loading [\\\"']{1,3}[^\"']{0,300}?torch[\\/]{1,4}lib[\\/]{1,4}(?P<file>[\w.-]{1,80}\.dll)",
    r"Could not find module '.{0,300}?(?P<file>(?:c10|torch|caffe2|fbgemm|asmjit|shm|uv)\w*\.dll)'",
    odds=0.95,
)
def dll_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(of_windows(failure, failure.groups["file"]))


@pitfall.explains(r"DLL load failed while importing (?:_C|libtriton)\b", odds=0.9)
def extension_not_loaded(failure: Failure) -> Hits:
    yield failure.hit(unnamed(failure))


@pitfall.explains(r"DLL load failed: ", r"\[WinError (?:126|127|182|193|1114)\]", odds=0.9)
def something_not_loaded(failure: Failure) -> Hits:
    if any(IMPORTS.search(frame.path) or "torch._C" in frame.text for frame in failure.frames):
        yield from extension_not_loaded(failure)


@pitfall.explains(
    r"version .(?P<version>(?:GLIBC|GLIBCXX|CXXABI)_[\d.]+). not found(?: \(required by \S{1,300}/(?:torch\w*|functorch|flash_attn\w*|bitsandbytes|triton|xformers|apex\w*|(?:lib)?pyg(?:_lib)?|mmcv|detectron2|selective_scan\w*|causal_conv1d\w*)[./]|$)",
    odds=0.95,
)
def system_too_old(failure: Failure) -> Hits:
    where = [frame for frame in failure.frames if IMPORTS.search(frame.path)]
    if not where and not TELLS_WHO.search(failure.message):
        return
    yield failure.hit(of_the_system(failure, failure.groups["version"]))


TLS = ("cannot allocate memory in static TLS", "cannot load any more object with static TLS")
NO_ROOM = "the room for thread-local variables is used up: import torch first, or LD_PRELOAD the library named"
RUNTIME = "the Visual C++ runtime is missing: install it from the address that is told, then a new terminal"
pitfall.answers(
    {
        **dict.fromkeys(TLS, NO_ROOM),
        "libtorch_cpu.so: cannot enable executable stack": "this system loads nothing that wants an executable stack: a newer PyTorch, or patchelf --clear-execstack on it",
        "Microsoft Visual C++ Redistributable is not installed": RUNTIME,
    },
    odds=0.85,
)


@pitfall.explains(
    r"No module named 'torch\._C'",
    r"/torch/lib/(?P<lib>lib(?!torch_cuda_c)\w{1,40}\.so)[.\d]{0,9}: (?:cannot (?:open shared|read file data)|file too short|invalid ELF header)",
    r"(?i:failed) to load Py[Tt]orch C extensions|name '(?P<its>_C)' is not defined",
    odds=0.95,
)
def compiled_part_missing(failure: Failure) -> Hits:
    if IMPORTS.search(failure.raised_in) or not failure.groups.get("its"):
        says = "torch/_C, the compiled part, is not there: a folder `torch` shadows the package, or it is another Python than it was installed for; reinstall it"
        if lib := failure.groups.get("lib"):
            says = f"{lib} of PyTorch is missing or damaged, as an installation that broke off leaves it: pip install --force-reinstall --no-cache-dir torch"
        yield failure.hit(says)


@pitfall.explains(
    r"torch/(?:lib/lib\w+|_C[\w.-]{0,60})\.so[.\d]{0,5}: undefined symbol: (?P<file>\w+)",
    r"Library not loaded: \S{0,200}?(?P<file>lib(?:iomp|omp|mkl|torch|c10|openblas)[\w.]*\.dylib)",
    r"Intel MKL FATAL ERROR: Cannot load (?P<file>[\w.]+\w)",
    r"(?P<file>lib(?:openblas|gomp|iomp|mkl|mpi|python|shm)[\w.+-]*\.so[\d.]*): cannot open shared object",
    odds=0.8,
)
def part_of_the_system_missing(failure: Failure) -> Hits:
    yield failure.hit(missing_part(failure.groups["file"]))
