r"""An extension in C++ or CUDA uses what PyTorch no longer has.

Extensions of the time of PyTorch 0.4 to 1.4 check with `AT_CHECK`, include `THC/THC.h`, hand a `THCState` around and
give `x.type()` to `AT_DISPATCH_...`. `AT_CHECK` is gone since 1.5, the THC headers since 1.11, and the dispatching
macros want a scalar type. `x.data<T>()` and `AT_ASSERT` still compile, with a warning.

Cure: `TORCH_CHECK`, the headers of `ATen/cuda`, `at::cuda::getCurrentCUDAStream()`, `x.scalar_type()`,
`x.data_ptr<T>()`. `keng check --fix --unsafe-fixes` writes what is a mere renaming, in .cpp, .cu and header files as
well as in texts given to `load_inline`.

Bad:

```python
from torch.utils.cpp_extension import load_inline

source = '''
#include <torch/extension.h>
#include <THC/THC.h>  // # here: `ATen/cuda/CUDAContext.h`

torch::Tensor twice(torch::Tensor x) {
  AT_CHECK(x.dim() == 1, "AT_CHECK is quoted here");  // # here: `TORCH_CHECK`
  AT_DISPATCH_FLOATING_TYPES(x.type(), "twice", [&] {  // # here: `scalar_type()`
    auto p = x.data<scalar_t>();  // # here: `data_ptr`
    for (int64_t i = 0; i < x.numel(); ++i) p[i] *= 2;
  });
  return x;
}
'''


def build():
    return load_inline("twice", cpp_sources=source, functions=["twice"])
```

Proof:

```python
from pathlib import Path

import torch

headers = Path(torch.__file__).parent / "include"
assert "<THC/THC.h>" in source and not (headers / "THC").exists()
assert "  AT_CHECK" in source
assert not any(b"AT_CHECK" in h.read_bytes() for h in (headers / "c10" / "util").glob("*.h"))
```

Bad (the stream of old):

```python
from torch.utils.cpp_extension import load_inline

kernel = '''
extern THCState *state;  // # here: no state is handed around

void launch(float *x, int n) {
  cudaStream_t stream = THCState_getCurrentStream(state);  // # here: `getCurrentCUDAStream`
  double_kernel<<<1, n, 0, stream>>>(x);
  THCudaCheck(cudaGetLastError());  // # here: `C10_CUDA_CHECK`
}
'''


def build():
    return load_inline("launch", cpp_sources="", cuda_sources=[kernel])
```

Proof:

```python
from pathlib import Path

import torch

headers = Path(torch.__file__).parent / "include" / "ATen"
assert "THCState" in kernel
assert not any(b"getCurrentStream(THC" in h.read_bytes() for h in headers.rglob("*.h"))
```

Good:

```python
from torch.utils.cpp_extension import load_inline

source = '''
#include <torch/extension.h>

torch::Tensor twice(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 1, "one dimension is wanted");
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "twice", [&] {
    auto p = x.data_ptr<scalar_t>();
    for (int64_t i = 0; i < x.numel(); ++i) p[i] *= 2;
  });
  return x;
}
'''


def build():
    return load_inline("twice", cpp_sources=source, functions=["twice"])
```

Fine (in comments, texts and names of one's own; for both):

```python
from torch.utils.cpp_extension import load_inline

source = r'''
// AT_CHECK(x) was the name once; /* THCState */
#include <torch/extension.h>
#include <vector>
/* #include <THC/THC.h> */
#ifndef AT_CHECK
#define AT_CHECK TORCH_CHECK
#endif
static const char *text = "AT_CHECK(1)", *raw = R"x(THCState " )x";
std::vector<float> v;
auto p = v.data();
auto q = x.type();
AT_CHECK(p, "defined above");
'''


def build():
    return load_inline("empty", cpp_sources=[source])
```

Message (torch 1.5 to 2.13, gcc):

```text
twice.cpp:3:3: error: ‘AT_CHECK’ was not declared in this scope; did you mean ‘DCHECK’?
    3 |   AT_CHECK(x.dim() == 1, "one");
      |   ^~~~~~~~
```

Message (torch 1.11 to 2.13, gcc):

```text
twice_cuda.cu:2:10: fatal error: THC/THC.h: No such file or directory
    2 | #include <THC/THC.h>
      |          ^~~~~~~~~~~
compilation terminated.
```

Message (torch 1.5 to 2.13, nvcc):

```text
roi_align_kernel.cu(274): error: identifier "THCState_getCurrentStream" is undefined
```

Message (torch 2.13.0, gcc):

```text
torch/headeronly/core/Dispatch.h:36:63: error: cannot convert ‘const at::DeprecatedTypeProperties’ to ‘c10::ScalarType’
```

Message (nvcc; `scalar_type()`):

```text
error: no suitable conversion function from "const at::DeprecatedTypeProperties" to "c10::ScalarType" exists
```

Message (torch 1.11 to 2.13, Visual Studio; `ATen/cuda/CUDAContext.h`):

```text
D:\lib\pointnet2\src\ball_query.cpp(2): fatal error C1083: Cannot open include file: 'THC/THC.h': No such file or directory
```

Message (torch 1.11 to 2.13, Visual Studio in Chinese; `ATen/cuda/CUDAContext.h`):

```text
ball_query.cpp(2): fatal error C1083: 无法打开包括文件: “THC/THC.h”: No such file or directory
```

Message (torch 1.11 to 2.13, clang; `ATen/cuda/Atomic.cuh`):

```text
src/voxel.cu:3:10: fatal error: 'THC/THCAtomics.cuh' file not found
```

Message (torch 1.11 to 2.13, nvcc; `ATen/cuda/Atomic.cuh`):

```text
src/voxel.cu(3): catastrophic error: cannot open source file "THC/THCAtomics.cuh"
```

Message (torch 1.5 to 2.13, Visual Studio; `TORCH_CHECK`):

```text
nms.cpp(12): error C3861: 'AT_CHECK': identifier not found
```

Message (torch 1.5 to 2.13, clang; `TORCH_CHECK`):

```text
nms.cpp:12:3: error: use of undeclared identifier 'AT_CHECK'
```

Message (torch 1.11 to 2.13, gcc; `no state`):

```text
roi_pool_cuda.cpp:8:8: error: ‘THCState’ does not name a type; did you mean ‘THPSize’?
```

Message (gcc, sources for torch 1.2 and torch 1.1; `older release`):

```text
error: invalid initialization of reference of type 'const at::Type&' from expression of type 'c10::ScalarType'
```

Message (torch 0.4 to 1.10, an extension for the C interface; `THCudaDoubleTensor`):

```text
torch_scatter/src/cuda.h:18:40: error: unknown type name ‘THCudaDoubleTensor’
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code
from keng.tables.removed_cxx_symbols import HEADERS, TOLD

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def gone_name(code: Code) -> Hits:
    defined = code.macros()
    for _, _, token in code.native_names():
        old = TOLD.get(token.text)
        if old is not None and token.text not in defined:
            says = f"`{token.text}` {old.what}; now it is {old.new}"
            yield code.native_hit(token.start, token.end, says, old.written, sure=old.gone)


@pitfall.finds(fixes=True)
def gone_header(code: Code) -> Hits:
    for header, start, end in code.included():
        if header.startswith(("THC/", "TH/")):
            now = HEADERS.get(header, "a header of ATen")
            says = f"`{header}` is gone from PyTorch since 1.11: {now.removeprefix('= ')} has its place"
            new = now[2:] if now.startswith("= ") else ""
            yield code.native_hit(start, end, says, new)


@pitfall.finds(fixes=True)
def type_in_place_of_scalar_type(code: Code) -> Hits:
    for token in code.types_dispatched():
        says = "the macro wants a scalar type: scalar_type()"
        yield code.native_hit(token.start, token.end, says, "scalar_type")


@pitfall.finds(fixes=True)
def typed_data(code: Code) -> Hits:
    for token in code.typed_data():
        says = "`data<T>()` of a tensor is outdated: it is data_ptr<T>() now"
        yield code.native_hit(token.start, token.end, says, "data_ptr")


OLD = r"(?P<name>(?:AT_|THC|THArg)\w+)"
HEADER = r"(?P<name>THC?/[\w./]{1,60}\.c?u?h)"


@pitfall.explains(
    rf"error: .{OLD}. (?:was not declared in this scope|does not name a type)",
    rf"error: identifier \"{OLD}\" is undefined",
    rf"error: use of undeclared identifier .{OLD}",
    rf"error C\d{{4}}: [^'\"“]{{0,60}}['\"“]{OLD}['\"”]",  # of Visual Studio, whose words are of any language
    r"error: unknown type name .(?P<name>TH(?:Cuda)?\w{0,20}Tensor|THCState)\b",
    rf"{HEADER}['\"”’]?:? ?(?:No such file or directory|file not found)",
    rf"cannot open source file ['\"]{HEADER}",
    odds=0.97,
)
def not_there(failure: Failure) -> Hits:
    name = failure.groups["name"]
    now = HEADERS.get(name) or (TOLD[name].new if name in TOLD else "something of ATen")
    says = f"`{name}` is gone from PyTorch; now it is {now.removeprefix('= ')}"
    older = "torch<1.11" if name in HEADERS else "the torch it was made for"
    yield failure.hit(f"{says}; of a package a newer release, or {older}")


@pitfall.explains(
    r"cannot convert .{0,9}at::DeprecatedTypeProperties",
    r"at::DeprecatedTypeProperties\W.{0,12}?(?:c10|at|torch::headeronly)::ScalarType",
    odds=0.97,
)
def type_dispatched(failure: Failure) -> Hits:
    yield failure.hit("an AT_DISPATCH macro is given x.type(): it wants x.scalar_type()")


@pitfall.explains(
    r"reference of type .const at::Type ?&. from expression of type .c10::ScalarType", odds=0.95
)
def headers_older_than_the_source(failure: Failure) -> Hits:
    yield failure.hit(
        "the sources give a scalar type where these headers still want a type: they are for a newer PyTorch than this one; an "
        "older release of the package, or a newer PyTorch"
    )
