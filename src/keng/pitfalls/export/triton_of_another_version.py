r"""Triton is of another version than PyTorch or the card wants.

Each PyTorch is made for one Triton and installs it; names inside of Triton move from release to release, so that another one, which a
package or `pip install -U triton` has brought, lacks what PyTorch asks for, or has what an older library no longer finds. Triton brings its
own assembler `ptxas`, which knows the cards of its time, and compiles bfloat16 and FP8 for newer cards only.

Cure: `pip install --force-reinstall torch`, which brings its Triton back; for a new card a newer PyTorch, or `TRITON_PTXAS_PATH` with the `ptxas`
of a newer toolkit; for an old card float16, or the kernel left out.

Bad:

```python
import torch

compiled = torch.compile(lambda x: x + 1)
```

Good:

```python
import importlib.metadata

print(importlib.metadata.requires("torch"))
```

Message (torch 2.5, Triton 3.2; `AttrsDescriptor`):

```text
ImportError: cannot import name 'AttrsDescriptor' from 'triton.compiler.compiler' (/venv/lib/python3.11/site-packages/triton/compiler/compiler.py)
```

Message (Triton 3.2, an RTX 5090; `sm_120`):

```text
ptxas fatal   : Value 'sm_120' is not defined for option 'gpu-name'
```

Message (Triton 2 to 3, in a kernel):

```text
RuntimeError: PassManager::run failed
```

Message (Triton 2, a library for Triton 3):

```text
ModuleNotFoundError: No module named 'triton.language.extra'
```

Message (Triton 2, an older card):

```text
LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.shfl.sync.bfly.i32
```

Message (Triton 3, beside pytorch-triton; `two`):

```text
RuntimeError: 2 compatible backends for target (cuda) ([<class 'nvidia.CUDABackend'>, <class 'nvi.CUDABackend'>]). There should only be one.
```

Message (Triton 2, in GPTQ-for-LLaMa; `a newer Triton`):

```text
python3: project/lib/Analysis/Allocation.cpp:42: std::pair<llvm::SmallVector<unsigned int>, llvm::SmallVector<unsigned int> > mlir::triton::getCvtOrder(const mlir::Attribute&, const mlir::Attribute&)
```

Message (Triton 3, with the ptxas of an older toolkit; `PTX 8.4`):

```text
RuntimeError: Internal Triton PTX codegen error: ptxas /tmp/compile-ptx-src-1f3b, line 7; fatal   : Unsupported .version 8.4; current version is '8.0'
```

Message (a library for another Triton; `OutOfResources`):

```text
AttributeError: module 'triton.compiler' has no attribute 'OutOfResources'
```

Message (Triton 3.2 and CUDA 12.8; `12.8`):

```text
RuntimeError: Triton only support CUDA 10.0 or higher, but got CUDA version: 12.8
```

Message (Triton 3.4 on a card that its ptxas does not know; `sm_110a`):

```text
subprocess.CalledProcessError: Command '['/env/lib/python3.12/site-packages/triton/backends/nvidia/bin/ptxas', '-lineinfo', '-v', '--gpu-name=sm_110a', '/tmp/tmp95oy_b9d.ptx', '-o', '/tmp/tmp95oy_b9d.ptx.o']' returned non-zero exit status 255.
```

Message (Triton 3.3, an older whisper; `update`):

```text
AttributeError: Cannot set attribute 'src' directly. Use '_unsafe_update_src()' and manually clear `.hash` of all callersinstead.
```

Message (xFormers, as DINOv2 uses it, on a V100; `8.0`):

```text
RuntimeError: Triton is needed for forward pass but it is not available!
```

Message (torch 2.8 with Triton 3.5; `launch_enter_hook`):

```text
InductorError: AttributeError: type object 'CompiledKernel' has no attribute 'launch_enter_hook'
```

Message (Triton 2 and 3; `another dtype`):

```text
RuntimeError: Internal Triton PTX codegen error:
ptxas /tmp/compile-ptx-src-ab, line 125; error   : Feature '.bf16' requires .target sm_80 or higher
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a card and another Triton")


@pitfall.explains(
    r"cannot import name '(?P<name>\w+)' from 'triton[\w.]*'",
    r"No module named '(?P<name>triton\.[\w.]+)'",
    r"module 'triton(?:\.\w+){0,3}' has no attribute '(?P<name>\w+)'",
    r"type object 'CompiledKernel' has no attribute '(?P<name>\w+)'",
    odds=0.93,
)
def another_triton(failure: Failure) -> Hits:
    yield failure.hit(
        f"the Triton that is installed has no `{failure.groups['name']}`: each PyTorch wants one Triton; pip install --force-reinstall torch, or "
        "update what asks for it"
    )


@pitfall.explains(
    r"ptxas fatal {1,5}: Value '(?P<card>sm_\w+)' is not defined",
    r"bin/ptxas'.{0,200}?'--gpu-name=(?P<card>sm_\w+)'.{0,300}?returned non-zero",
    odds=0.95,
)
def card_too_new(failure: Failure) -> Hits:
    yield failure.hit(
        f"the assembler ptxas is older than the card, {failure.groups['card']}: a newer PyTorch with its Triton, or TRITON_PTXAS_PATH"
    )


@pitfall.explains(
    r"PassManager::run failed|LLVM ERROR: Cannot select: |Feature '[^'\n]{1,60}' requires \.target sm_\d",
    r"/lib/(?:Analysis|Conversion|Dialect|Target)/\S{1,100}\.(?:cpp|h):\d+: .{0,300}?mlir::triton",
    odds=0.8,
)
def triton_itself(failure: Failure) -> Hits:
    yield failure.hit(
        "Triton cannot compile this kernel for this card, as bfloat16 or FP8 on an older one: another dtype, or a newer Triton"
    )


@pitfall.explains(
    r"[1-9]\d? (?:compatible backends for target|active drivers) \(.{0,400}?There should only be one",
    odds=0.93,
)
def not_one(failure: Failure) -> Hits:
    yield failure.hit(
        "two Tritons are installed, as triton and pytorch-triton: pip uninstall both, then torch again"
    )


@pitfall.explains(
    r"ptxas .{0,200}?Unsupported \.version (?P<wants>[\d.]+); current version is '(?P<has>[\d.]+)'",
    odds=0.95,
)
def assembler_too_old(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(
        f"Triton writes PTX {wants}, and the assembler ptxas that it finds reads {has} at most: unset TRITON_PTXAS_PATH, or a newer toolkit"
    )


@pitfall.explains(
    r"Triton only support CUDA [\d.]{1,8} or higher, but got CUDA version: (?P<cuda>[\d.]+)",
    odds=0.95,
)
def toolkit_too_new(failure: Failure) -> Hits:
    yield failure.hit(
        f"this Triton does not know CUDA {failure.groups['cuda']}, which is newer than it: a newer Triton and PyTorch"
    )


pitfall.answers(
    {
        "Cannot set attribute 'src' directly. Use '_unsafe_update_src()'": "a library rewrites the source of a kernel, as older versions of whisper and xFormers do, which Triton after 3.2 does not allow: update that library, or an older Triton",
        "Triton is needed for forward pass but it is not": "xFormers takes Triton where it is installed and the card is of capability 8.0 or newer, no V100 or T4: XFORMERS_ENABLE_TRITON=1 tries it, or the model without xFormers",
    },
    odds=0.93,
)
