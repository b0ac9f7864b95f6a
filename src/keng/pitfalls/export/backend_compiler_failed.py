r"""The compiler behind torch.compile failed, not the program.

Dynamo hands the graph to a backend, inductor unless told otherwise, which writes Triton or C++ code and
compiles it. That needs a Triton that fits the PyTorch and the card, a C++ compiler on the CPU, and
writable temporary folders; what the backend cannot do is raised as its error inside of this one.

Cure: read the error under `backend='...' raised:`; install the compiler or Triton that it names;
`torch.compile(model, backend="eager")` tells whether dynamo or the backend is at fault.

Bad:

```python
import torch


def broken(graph, inputs):
    raise ValueError("no such instruction")  # seen: `broken`


double = torch.compile(lambda x: 2 * x, backend=broken)
double(torch.ones(3))
```

Good:

```python
import torch

double = torch.compile(lambda x: 2 * x, backend="eager")
double(torch.ones(3))
```

Message (torch 2.4; `under Linux`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
RuntimeError: Cannot find a working triton installation. More information on installing Triton can be found at https://github.com/openai/triton
```

Message (torch 2.0, Apple clang; `libomp`):

```text
clang: error: unsupported option '-fopenmp'
BackendCompilerFailed: compile_fx raised CppCompileError: C++ compile error
```

Message (torch 2.1, Windows; `Native Tools`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
CppCompileError: C++ compile error

Command:
cl /I C:/Python311/Include /D TORCH_INDUCTOR_CPP_WRAPPER
```

Message (torch 2.4, Windows; `of the release for this PyTorch`):

```text
  File "C:\Users\bob\venv\Lib\site-packages\torch\_inductor\scheduler.py", line 3428, in create_backend
    raise RuntimeError(
RuntimeError: Cannot find a working triton installation. More information on installing Triton can be found at https://github.com/openai/triton
```

Message (torch 2.6 to 2.13, Windows; `does not find headers`):

```text
torch._inductor.exc.InductorError: CppCompileError: C++ compile error

Output:
omp.cpp(1): fatal error C1083: Cannot open include file: 'algorithm': No such file or directory
```

Message (torch 2.0 to 2.13; `a newer one`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
CppCompileError: C++ compile error

Output:
g++: error: unrecognized command line option '-std=c++17'
```

Message (torch 2.0 to 2.13; `a fault of its own`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
CppCompileError: C++ compile error

Output:
/tmp/torchinductor_bob/wo/cwofhk5bheglvf2kvz2fxg424zpuf5xgtndnpvzhlwb4rsdddqmp.cpp:34:27: error: 'tmp7' was not declared in this scope
```

Message (torch 2.7):

```text
torch._inductor.exc.TritonMissing: Cannot find a working triton installation. Either the package is not installed or it is too old. More information on installing Triton can be found at: https://github.com/triton-lang/triton
```

Message (torch 2.0 to 2.13; `TORCHINDUCTOR_CACHE_DIR`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
PermissionError: [Errno 13] Permission denied: '/tmp/torchinductor_root'
```

Message (torch 2.0 to 2.13; `another version of PyTorch`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
NameError: name 's4' is not defined
```

Message (torch 2.1, an old card; `old for Triton`):

```text
torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:
RuntimeError: Found Tesla P100-PCIE-16GB which is too old to be supported by the triton GPU compiler, which is used as the backend. Triton only supports devices of CUDA Capability >= 7.0, but your device is of CUDA capability 6.0
```

Message (torch 2.7, no compiler; `C++ compiler`):

```text
torch._inductor.exc.InductorError: InvalidCxxCompiler: No working C++ compiler found in torch._inductor.config.cpp.cxx: (None, 'g++')
```

Message (torch 2.7, Windows; `Native Tools`):

```text
torch._inductor.exc.InductorError: RuntimeError: Compiler: cl is not found.
```

Message (torch 2.1, from Triton; `build-essential`):

```text
RuntimeError: Failed to find C compiler. Please specify via CC environment variable.
```

Message (torch 2.0, Apple clang; `CXX=g++`):

```text
BackendCompilerFailed: compile_fx raised CppCompileError: C++ compile error
```

Message (torch 2.0 to 2.13; `aten.convolution.default`):

```text
torch._inductor.exc.LoweringException: AssertionError:
  target: aten.convolution.default
  args[0]: TensorBox(StorageBox(
```

Message (torch 2.6 to 2.13):

```text
torch._inductor.exc.InductorError: RuntimeError: Failed to run autotuning code block: no valid triton configs
```

Message (Triton 2; `libcuda.so.1`):

```text
AssertionError: libcuda.so cannot found!
Possible files are located at ['/usr/lib64-nvidia/libcuda.so.1']. Please create a symlink of libcuda.so to any of the file.
```

Message (torch 2.1 to 2.13; `IndexError`):

```text
torch._dynamo.exc.InternalTorchDynamoError: IndexError: list index out of range
```

Message (torch 2.13):

```text
NoValidChoicesError: No choices to select. Provided reason: All choices failed to compile for backend. please consider adding ATEN into max_autotune_gemm_backends config (defined in torch/_inductor/config.py) to allow at least one choice.
```

Message (torch 2.0; `Unequality`):

```text
torch._inductor.exc.LoweringException: AssertionError: Found <class 'sympy.core.relational.Unequality'>, which is not a supported top level IR node. See [Note: Inductor IR]
  target: <built-in function ne>
  args[0]: Mod(s2, 8)
```

Message (torch 2.13, of AOTAutograd; `weakref`):

```text
torch._dynamo.exc.BackendCompilerFailed: RuntimeError: <weakref at 0x7fd1c2; to 'torch.storage.UntypedStorage' at 0x7fd1c3>
```
"""

from keng.explain.advice.compiled import not_compiled, raised_behind, without_triton
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Cannot find a working triton installation|No module named 'triton'", odds=0.97)
def no_triton(failure: Failure) -> Hits:
    yield failure.hit(without_triton(failure))


@pitfall.explains(
    r"Found (?P<card>[\w -]{3,60}) which is too old to be supported by the triton", odds=0.97
)
def an_old_card(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['card']}` is too old for Triton: backend='eager', or no torch.compile"
    )


@pitfall.explains(
    r"InvalidCxxCompiler: No working C\+\+ compiler found",
    r"Compiler: (?P<compiler>[\w+.-]+) is not found",
    r"Failed to find (?P<compiler>C compiler)",
    odds=0.97,
)
def no_compiler(failure: Failure) -> Hits:
    compiler, cure = failure.groups["compiler"], "install g++ or set CXX"
    if compiler.startswith("cl"):
        cure = "start from the x64 Native Tools prompt of Visual Studio"
    says = f"inductor finds no C++ compiler on this machine: {cure}"
    if compiler.startswith("C "):
        says = "Triton finds no C compiler on this machine: apt install build-essential, or CC=/path/to/gcc"
    yield failure.hit(says)


@pitfall.explains(r"C\+\+ compile error", odds=0.8)
def compiler_refuses(failure: Failure) -> Hits:
    yield failure.hit(not_compiled(failure))


@pitfall.explains(
    r"backend='(?P<backend>\w+)' raised:\s+(?P<error>[\w.]+(?:: .{1,160}?)?)(?:\sSet TORCH|\n|$)",
    odds=0.85,
)
def raised_in_the_backend(failure: Failure) -> Hits:
    backend, error = failure.groups["backend"], failure.groups["error"]
    known = ("triton", "InvalidCxxCompiler", "CppCompileError")
    if not any(word in error for word in known):
        yield failure.hit(raised_behind(backend, error))


@pitfall.explains(
    r"target: (?P<op>(?!target)\w+\.[\w.]+)\s{1,9}args\[0\]: ",
    r"\b(?:LoweringException|InductorError|SubprocException|CUDACompileError|BackendCompilerFailed): (?!backend=|compile_fx |\S{0,60}OutOfMemory)(?P<error>\S{3,80}(?: (?!target:|Set )\S{1,80}){0,9})",
    r"Failed to run autotuning code block|\bNoValidChoicesError\b",
    odds=0.75,
)
def inductor_itself(failure: Failure) -> Hits:
    op, error = failure.groups.get("op", ""), failure.groups.get("error", "").rstrip(". ")
    at = f" at {op}" if op else f" ({error})" if error else ""
    yield failure.hit(
        f"inductor failed{at}, not the program: another version, or torch.compile(..., backend='aot_eager')"
    )


@pitfall.explains(r"libcuda\.so cannot found", odds=0.97)
def no_link_to_the_driver(failure: Failure) -> Hits:
    yield failure.hit(
        "Triton finds no file libcuda.so: the driver has libcuda.so.1 alone; sudo ldconfig with its folder, or a link of "
        "that name beside it"
    )


@pitfall.explains(
    r"InternalTorchDynamoError: (?P<error>.{1,160}?)(?: from user code| Set TORCH| You can suppress|$)",
    odds=0.85,
)
def dynamo_itself(failure: Failure) -> Hits:
    yield failure.hit(
        f"dynamo itself failed ({failure.groups['error'].rstrip('. ')}), not the program: another version, or torch.compiler.disable() on the "
        "function that it names"
    )
