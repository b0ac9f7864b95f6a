r"""A kernel in Triton does not compile.

Triton translates a Python function with rules of its own: sizes of blocks are powers of 2 and known when it compiles, so `tl.arange(0, n)` takes a
`tl.constexpr`; globals are seen only as `tl.constexpr`; `tl.` functions run only inside of `@triton.jit`. What it refuses is
raised as a CompilationError, whose last line is the reason. For the launcher it then calls a C compiler, which wants Python's headers and
the driver's `libcuda.so`.

Cure: `BLOCK: tl.constexpr` of `triton.next_power_of_2(n)` with a mask; constants as `tl.constexpr(...)`; `@triton.jit` on helpers; for the launcher
`apt install gcc python3-dev`, and libcuda's folder in `LIBRARY_PATH`. A kernel that torch.compile wrote is inductor's, not yours: another version.

Bad:

```python
import triton
import triton.language as tl


@triton.jit
def add(x, y, n):
    at = tl.arange(0, 100)
    tl.store(y + at, tl.load(x + at) + 1)
```

Good:

```python
import torch

y = torch.ones(100) + 1
```

Message (Triton 2 and 3; `power of 2`):

```text
triton.compiler.errors.CompilationError: at 3:9:
def add(x, y, n):
    at = tl.arange(0, 100)
         ^
arange's range must be a power of 2
```

Message (Triton 3; `tl.constexpr`):

```text
triton.compiler.errors.CompilationError: at 6:12:
    x = x * LOG2E
            ^
NameError("Cannot access global variable LOG2E from within @jit'ed function.")
```

Message (Triton 2 and 3; `@triton.jit`):

```text
ValueError: Did you forget to add @triton.jit ? (`_builder` argument must be provided outside of JIT functions.)
```

Message (Triton 2 and 3; `no attribute`):

```text
triton.compiler.errors.CompilationError: at 10:11:
    x = tl.load(p)
AttributeError("'NoneType' object has no attribute 'type'")
```

Message (Triton 2 and 3, without Python's headers; `libcuda.so`):

```text
subprocess.CalledProcessError: Command '['/usr/bin/gcc', '/tmp/tmp1/main.c', '-O3', '-I/env/lib/python3.10/site-packages/triton/common/../third_party/cuda/include', '-I/usr/include/python3.10', '-shared', '-fPIC', '-lcuda', '-o', '/tmp/tmp1/cuda_utils.cpython-310-x86_64-linux-gnu.so']' returned non-zero exit status 1.
```

Message (Triton 3; `num_warps`):

```text
RuntimeError: Internal Triton PTX codegen error:
  ptxas fatal   : (C7600) Register allocation failed with register count of '255'. Compile the program with a higher register target
  ptxas fatal   : Ptx assembly aborted due to errors
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Triton and a card")

pitfall.answers(
    {
        "range must be a power of 2": "the length of tl.arange is a power of 2: triton.next_power_of_2(n), and a mask for the rest",
        "from within @jit'ed function": "a kernel sees globals only as constants: NAME = tl.constexpr(...), or pass it in",
        "Did you forget to add @triton.jit": "a function of tl. is called outside of a kernel: @triton.jit on the helper that calls it",
    },
    odds=0.95,
)


@pitfall.explains(
    r"(?:CompilationError|UnsupportedLanguageConstruct): at (?P<line>\d{1,6}):\d{1,6}:\s[^×]{0,1800}?(?P<error>[A-Z]\w{2,60}Error\(.{3,160}\))",
    odds=0.8,
)
def refused(failure: Failure) -> Hits:
    line, error = failure.groups["line"], failure.groups["error"]
    yield failure.hit(f"Triton does not take line {line} of the kernel: {error}")


@pitfall.explains(
    r"Command '\[?'?\S{0,120}?(?:gcc|cc|clang)'.{0,300}?(?:triton|cuda_utils|__triton_launcher).{0,900}?returned non-zero exit",
    odds=0.85,
)
def launcher_not_compiled(failure: Failure) -> Hits:
    yield failure.hit(
        "Triton's launcher in C does not compile, see the compiler's lines above: Python's headers (python3-dev) or libcuda.so for -lcuda are missing"
    )


@pitfall.explains(r"Register allocation failed with register count of '(?P<count>\d+)'", odds=0.95)
def too_many_registers(failure: Failure) -> Hits:
    yield failure.hit(
        f"a kernel wants more than {failure.groups['count']} registers a thread: smaller blocks, more warps (num_warps), or that choice left out of the autotuner"
    )
