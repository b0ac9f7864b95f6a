r"""An extension was compiled for another PyTorch.

A compiled extension holds the names of PyTorch's C++ functions as they were in the version it was compiled
against. In another version some of them have other arguments, and loading fails with an undefined symbol
of `c10` or `at`. The cache of `torch.utils.cpp_extension.load` is kept by the versions of Python and CUDA, not by
that of PyTorch, so what was built before an update lies there still.

Cure: build it again: delete the extension's folder under `~/.cache/torch_extensions`, or `pip uninstall` the package that
has it and `pip install --no-cache-dir --no-build-isolation` it; where it has wheels, take the one for this PyTorch.

Message (torch 2.0, an extension built for 1.13; `of the old ABI`):

```text
ImportError: /opt/env/lib/python3.11/site-packages/ops/_C.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZN3c106detail14torchCheckFailEPKcS2_jRKSs
```

Message (torch 2.1; `delete its folder in`):

```text
ImportError: /home/u/.cache/torch_extensions/py311_cu121/ops/ops.so: undefined symbol: _ZN2at4_ops5zeros4callEN3c108ArrayRefINS2_6SymIntEEENS2_8optionalI
```

Machine (built with another PyTorch: `/opt/old/lib/python3.11/site-packages/torch/include`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/root/.cache/torch_extensions/py311_cu128/ops/ops.so" = ""
"/root/.cache/torch_extensions/py311_cu128/ops/build.ninja" = "common_cflags = -DTORCH_EXTENSION_NAME=ops -isystem /opt/old/lib/python3.11/site-packages/torch/include -isystem /usr/include/python3.11\n"
```

Sound (built with this one; nothing built):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/root/.cache/torch_extensions/py311_cu128/ops/ops.so" = ""
"/root/.cache/torch_extensions/py311_cu128/ops/build.ninja" = "common_cflags = -isystem /env/site-packages/torch/include -isystem /env/site-packages/torch/include/torch/csrc/api/include\n"
"/root/.cache/torch_extensions/py38_cu118/ops/ops.so" = ""
"/root/.cache/torch_extensions/py38_cu118/ops/build.ninja" = "common_cflags = -isystem /opt/py38/site-packages/torch/include\n"
```

Message (torch 2.4, a wheel for the other form of text; `of the new ABI`):

```text
ImportError: /env/lib/python3.11/site-packages/flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
```

Message (torch 2.3, of a graph library; `data.pyg.org`):

```text
OSError: /env/lib/python3.10/site-packages/torch_cluster/_grid_cuda.so: undefined symbol: _ZNK3c104Type14isSubtypeOfExtESt10shared_ptrIS0_EPSo
```

Message (torch 2.0, an extension built for 1.10; `before 2.0`):

```text
ImportError: libtorch_cuda_cu.so: cannot open shared object file: No such file or directory
```

Message (xFormers; `xFormers`):

```text
NotImplementedError: No operator found for `memory_efficient_attention_forward` with inputs:
     query       : shape=(1, 4096, 1, 512) (torch.float16)
     key         : shape=(1, 4096, 1, 512) (torch.float16)
```

Message (xFormers, on the CPU; `the tensors lie on the CPU`):

```text
NotImplementedError: No operator found for `memory_efficient_attention_forward` with inputs:
     query       : shape=(1, 4096, 8, 40) (torch.float32)
`cutlassF` is not supported because:
    device=cpu (supported: {'cuda'})
```

Message (xFormers, on a card older than Ampere; `float16`):

```text
NotImplementedError: No operator found for `memory_efficient_attention_forward` with inputs:
     query       : shape=(1, 4096, 8, 40) (torch.bfloat16)
`cutlassF` is not supported because:
    bf16 is only supported on A100+ GPUs
```

Message (xFormers, on a newer card; `newer than this xFormers`):

```text
NotImplementedError: No operator found for `memory_efficient_attention_forward` with inputs:
     query       : shape=(1, 4096, 8, 40) (torch.float16)
`cutlassF` is not supported because:
    requires device with capability <= (9, 0) but your GPU has capability (12, 0) (too new)
```

Message (xFormers, when it is imported; `without CUDA: python`):

```text
WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:
    PyTorch 2.1.2+cu121 with CUDA 1201 (you have 2.2.0+cpu)
```

Message (torch 2.0 to 2.13):

```text
NotImplementedError: Could not run 'xformers::efficient_attention_forward_cutlass' with arguments from the 'CUDA' backend.
```

Message (torch_scatter and its kin):

```text
RuntimeError: Detected that PyTorch and torch_scatter were compiled with different CUDA versions. PyTorch has CUDA version 11.7 and torch_scatter has CUDA version 11.3.
```

Message (macOS):

```text
ImportError: dlopen(/env/lib/python3.9/site-packages/torch_sparse/_spmm.so, 6): Symbol not found: __ZN2at5Tensor4dataE
```

Message (Windows; `pip uninstall flash-attn`):

```text
ImportError: DLL load failed while importing flash_attn_2_cuda: The specified procedure could not be found.
```

Message (Windows):

```text
OSError: [WinError 127] The specified procedure could not be found. Error loading "torch_sparse/_convert_cuda.pyd" or one of its dependencies.
```

Message (torch 1.7, mmcv built for 1.6):

```text
ImportError: mmcv/_ext.cpython-37m-x86_64-linux-gnu.so: undefined symbol: _ZTIN3c1021AutogradMetaInterfaceE
```

Message (an extension imported before torch; `import torch`):

```text
ImportError: libc10.so: cannot open shared object file: No such file or directory
```

Message (torchaudio for ROCm beside a torch for CUDA; `with ROCm`):

```text
OSError: libtorch_hip.so: cannot open shared object file: No such file or directory
```

Message (an extension for CUDA beside a torch for the CPU; `with CUDA`):

```text
ImportError: libtorch_cuda.so: cannot open shared object file: No such file or directory
```

Message (torch 0.4 to 2.13, the same; `import torch`):

```text
ImportError: ./smtl_cuda.so: undefined symbol: THPVariableClass
```

Message (torch 2.4, an extension built by CMake; `libtorch_python`):

```text
ImportError: /path/to/lib/my_pytorch_extension.so: undefined symbol: _ZN8pybind116detail11type_casterIN2at6TensorEvE4castERKS3_NS_19return_value_policyENS_6handleE
```

Message (torch 1.1, with functions of TH):

```text
ImportError: /env/lib/python3.6/dist-packages/my_conv.cpython-36m-x86_64-linux-gnu.so: undefined symbol: _THError
```

Message (Windows, as PyTorch Geometric tells it; `torch-spline-conv`):

```text
UserWarning: An issue occurred while importing 'torch-spline-conv'. Disabling its usage. Stacktrace: [WinError 127] The specified procedure could not be found
```

Message (Windows, MMCV; `the wheel of mmcv`):

```text
I have installed mmcv 2.0.0
ImportError: DLL load failed while importing _ext: The specified module could not be found.
```

Message (Windows, Python 3.8; `torch_sparse`):

```text
FileNotFoundError: Could not find module 'C:\env\Lib\site-packages\torch_sparse\_convert_cpu.pyd' (or one of its dependencies). Try using the full path with constructor syntax.
```

Message (torch_sparse 0.6, whose build for CUDA, or for this torch, is not there; `torch_sparse`):

```text
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    from torch_geometric.nn import GCNConv
  File "/env/lib/python3.8/site-packages/torch_geometric/data/data.py", line 8, in <module>
    from torch_sparse import coalesce, SparseTensor
  File "/env/lib/python3.8/site-packages/torch_sparse/__init__.py", line 15, in <module>
    f'{library}_{suffix}', [osp.dirname(__file__)]).origin)
AttributeError: 'NoneType' object has no attribute 'origin'
```
"""

import os
import re

from keng.env.machine import Machine
from keng.explain.advice.extensions import built_for_this, of_another_version, of_xformers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

INCLUDES = re.compile(r"\S*/torch/include(?=\s|$)")
PLATFORMS = {"_hip": "ROCm", "_cuda": "CUDA", "_xpu": "XPU"}
GRAPHS = re.compile(r"[/\\](?P<who>torch_(?:scatter|sparse|cluster|spline_conv))[/\\]__init__\.py")


@pitfall.explains(
    r"undefined symbol: (?P<symbol>_Z\w{0,60}?(?:3c10|2at|5torch|6caffe2)\w+|_?TH[CE]\w+)",
    r"libtorch_cuda_(?:cu|cpp)\.so: cannot open shared object file",
    odds=0.9,
)
def symbol_of_another_version(failure: Failure) -> Hits:
    if failure.groups.get("symbol", "").startswith("_ZN8pybind11"):
        yield failure.hit(
            "the extension is not linked with libtorch_python, which knows tensors of Python: add it in CMake"
        )
        return
    yield failure.hit(of_another_version(failure))


@pitfall.probes
def compiled_against_another_copy(machine: Machine) -> Hits:
    torch, ours = machine.torch, f"/py{machine.python.replace('.', '')}_"
    for library in machine.extension_files(".so") if torch is not None else ():
        folder = os.path.dirname(library)
        includes = INCLUDES.findall(machine.read(f"{folder}/build.ninja"))
        if torch is None or not includes or ours not in folder:
            continue
        own = machine.real(f"{torch.folder}/torch/include")
        if own not in {machine.real(include) for include in includes}:
            yield machine.hit(
                f"{library} was compiled with {includes[0]}, and programs import the torch of "
                f"{torch.folder}",
                f"rm -r {folder}",
                {f"{folder}/build.ninja": includes[0], torch.file: torch.version},
            )


@pitfall.explains(
    r"No operator found for `memory_efficient_attention",
    r"xFormers can't load C\+\+/CUDA extensions",
    r"Could not run 'xformers::\w+' with arguments",
    odds=0.85,
)
def xformers(failure: Failure) -> Hits:
    yield failure.hit(of_xformers(failure))


@pitfall.explains(
    r"PyTorch and (?P<who>torch_\w+) were compiled with different CUDA",
    r"DLL load failed while importing (?P<who>_ext|(?:flash|torch|fused|vllm|causal|selective)\w*|\w+_cuda\w*)\b",
    r"\[WinError 127\] .{0,160}?[\\/\"](?P<who>torch_\w+)",
    r"importing '(?P<who>torch-[\w-]{3,20}|pyg-lib)'\. .{0,40}?\[WinError 127\]",
    r"Could not find module '[^']{0,300}?[\\/](?P<who>torch_\w+|mmcv|pytorch3d|pyg_lib)[\\/][^']{1,100}\.pyd'",
    r"dlopen\(\S{0,300}?(?P<who>[\w.-]+\.so)\W.{0,40}?Symbol not found: __ZN\w*?(?:2at|3c10|5torch)",
    r"'NoneType' object has no attribute 'origin'|Could not find module '_?\w+_(?:cpu|cuda)' in \S",
    odds=0.93,
)
def compiled_otherwise(failure: Failure) -> Hits:
    found = GRAPHS.search(failure.frames[-1].path if failure.frames else "")
    who = failure.groups.get("who") or (found and found["who"])
    if who:
        says = f"{who} was compiled for another PyTorch"
        yield failure.hit(f"{says}: {built_for_this(failure, who)}")


@pitfall.explains(
    r"(?<!shared libraries: )(?<!torch/lib/)(?P<what>lib(?!torch_cuda_c)(?:torch|c10)\w*\.so): cannot open shared object file",
    r"undefined symbol: (?P<what>THPVariable\w+)",
    odds=0.9,
)
def loaded_before_torch(failure: Failure) -> Hits:
    what, kind = failure.groups["what"], re.search(r"_(?:hip|cuda|xpu)\b", failure.groups["what"])
    says = f"the extension looks for {what}, which comes with torch: import torch before it; if that is done, it was built for another version"
    if kind:
        says = f"what looks for {what} was built for PyTorch with {PLATFORMS[kind[0]]}, and the one that is installed is without: take both from one index, as .../whl/cu128"
    yield failure.hit(says)
