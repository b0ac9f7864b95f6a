r"""Copies of CUDA's libraries from several places are mixed.

The wheels of PyTorch bring cuDNN, cuBLAS, nvJitLink and others, each made for the others. Python finds
them by their place, but `LD_LIBRARY_PATH`, conda and the system may put another copy in front, and one
library then asks another for a function that this copy does not have. The other way round, a package
that brings nothing along looks for a version which is not installed.

Cure: unset `LD_LIBRARY_PATH` and try again; `ldd` on the file that the message names shows which copy
wins. Keep one of a kind: install PyTorch by pip or by conda, not by both, and keep the `nvidia-*`
packages that it asks for.

Bad:

```python
import torch  # seen: fails while its libraries are loaded

torch.ones(3)
```

Good:

```python
import torch

torch.ones(3)
```

Message (torch 2.4 with an older nvJitLink in front):

```text
ImportError: /opt/env/lib/python3.11/site-packages/torch/lib/../../nvidia/cusparse/lib/libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4, version libnvJitLink.so.12
```

Message (a driver that is too old for CuPy):

```text
ImportError: /opt/env/lib/python3.8/site-packages/cupy/cuda/driver.cpython-38-x86_64-linux-gnu.so: undefined symbol: cuDevicePrimaryCtxRelease_v2
```

Message (torch 1.9 to 2.0, an extension; `was built for CUDA 11`):

```text
ImportError: libcudart.so.11.0: cannot open shared object file: No such file or directory
```

Message (torch 2.1 to 2.13, its own; `without --no-deps`):

```text
  File "/env/lib/python3.11/site-packages/torch/__init__.py", line 367, in <module>
    from torch._C import *
ImportError: libcusparse.so.12: cannot open shared object file: No such file or directory
```

Message (torch 1.13; `nvidia-* package is missing`):

```text
ImportError: libcudnn.so.8: cannot open shared object file: No such file or directory
```

Message (torch 2.1, while a convolution runs):

```text
Could not load library libcudnn_cnn_train.so.8. Error: /usr/lib/x86_64-linux-gnu/libcudnn_cnn_train.so.8: undefined symbol: _ZN5cudnn3cnn34layerNormFwd_execute_internal_implERKNS_7backend11VariantPackE
```

Message (torch 2.12):

```text
RuntimeError: cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH
```

Machine (`libnvJitLink.so.12.2.140` stands before the 12.8.93 that PyTorch brings):

```toml
[environment]
LD_LIBRARY_PATH = "/usr/local/cuda-12.2/lib64"
[files]
"/usr/local/cuda-12.2/lib64/libnvJitLink.so.12" = { link = "libnvJitLink.so.12.2.140" }
"/usr/local/cuda-12.2/lib64/libnvJitLink.so.12.2.140" = ""
"/env/site-packages/nvidia_nvjitlink_cu12-12.8.93.dist-info/METADATA" = "Name: nvidia-nvjitlink-cu12"
"/env/site-packages/nvidia/nvjitlink/lib/libnvJitLink.so.12" = ""
```

Machine (not sure, as it is the system's: `libcudnn.so.9.23.0`):

```toml
[files]
"/usr/lib/x86_64-linux-gnu/libcudnn.so.9" = { link = "libcudnn.so.9.23.0" }
"/usr/lib/x86_64-linux-gnu/libcudnn.so.9.23.0" = ""
"/env/site-packages/nvidia_cudnn_cu12-9.20.0.48.dist-info/METADATA" = "Name: nvidia-cudnn-cu12"
"/env/site-packages/nvidia/cudnn/lib/libcudnn.so.9" = ""
```

Machine (libtorch beside PyTorch: `libc10.so of /opt/libtorch/lib`):

```toml
[environment]
LD_LIBRARY_PATH = "/opt/libtorch/lib"
[files]
"/opt/libtorch/lib/libc10.so" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch/lib/libc10.so" = ""
```

Machine (not sure: conda's Python looks into its own folder before the system's; `libcudnn.so.8.9.2`):

```toml
path = ["/opt/env/lib/python3.11/site-packages"]
[files]
"/opt/env/conda-meta/history" = ""
"/opt/env/lib/libcudnn.so.8" = { link = "libcudnn.so.8.9.2" }
"/opt/env/lib/libcudnn.so.8.9.2" = ""
"/opt/env/lib/python3.11/site-packages/nvidia_cudnn_cu12-8.9.7.29.dist-info/METADATA" = "Name: nvidia-cudnn-cu12"
```

Sound (conda's is of another major version; of the same; another Python's):

```toml
path = ["/opt/env/lib/python3.11/site-packages", "/usr/lib/python3/dist-packages"]
[files]
"/opt/env/conda-meta/history" = ""
"/opt/env/lib/libcudnn.so.8" = { link = "libcudnn.so.8.9.2" }
"/opt/env/lib/libcudnn.so.8.9.2" = ""
"/opt/env/lib/libnccl.so.2" = { link = "libnccl.so.2.27.3" }
"/opt/env/lib/libnccl.so.2.27.3" = ""
"/opt/other/conda-meta/history" = ""
"/opt/other/lib/libcudnn.so.9.1.0" = ""
"/opt/env/lib/python3.11/site-packages/nvidia_cudnn_cu12-9.10.2.21.dist-info/METADATA" = "Name: nvidia-cudnn-cu12"
"/opt/env/lib/python3.11/site-packages/nvidia_nccl_cu12-2.27.3.dist-info/METADATA" = "Name: nvidia-nccl-cu12"
```

Sound (the same version, another major version, PyTorch's own folders):

```toml
[environment]
LD_LIBRARY_PATH = "/opt/cuda/lib64:/env/site-packages/torch/lib:/env/site-packages/nvidia/cudnn/lib"
[files]
"/opt/cuda/lib64/libnvJitLink.so.12" = { link = "libnvJitLink.so.12.8.93" }
"/opt/cuda/lib64/libnvJitLink.so.12.8.93" = ""
"/opt/cuda/lib64/libcublas.so.11" = { link = "libcublas.so.11.11.3.6" }
"/opt/cuda/lib64/libcublas.so.11.11.3.6" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch/lib/libc10.so" = ""
"/env/site-packages/nvidia_nvjitlink_cu12-12.8.93.dist-info/METADATA" = "Name: nvidia-nvjitlink-cu12"
"/env/site-packages/nvidia_cublas_cu12-12.8.4.1.dist-info/METADATA" = "Name: nvidia-cublas-cu12"
"/env/site-packages/nvidia_cudnn_cu12-9.10.2.21.dist-info/METADATA" = "Name: nvidia-cudnn-cu12"
"/env/site-packages/nvidia/cudnn/lib/libcudnn.so.9" = ""
```

Message (torch 2.0, an older runtime in front):

```text
ImportError: /opt/env/lib/python3.9/site-packages/torch/lib/libtorch_cuda.so: undefined symbol: cudaLaunchKernelExC, version libcudart.so.11.0
```

Message (torch 1.9 to 2.13; `cuDNN`):

```text
RuntimeError: cuDNN version incompatibility: PyTorch was compiled against (8, 9, 2) but found runtime version (8, 5, 0). PyTorch already comes with bundled cuDNN. One option to resolving this error is to ensure PyTorch can find the bundled cuDNN.
```

Message (torch 1.10 to 2.13; `libcublasLt.so.11`):

```text
OSError: /usr/local/cuda/lib64/libcublas.so.11: symbol cublasLtHSHMatmulAlgoInit, version libcublasLt.so.11 not defined in file libcublasLt.so.11 with link time reference
```

Message (torch 2.1 to 2.13, another NCCL; `ncclCommRegister`):

```text
ImportError: /env/lib/python3.10/site-packages/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister
```

Message (torch 0.4):

```text
RuntimeError: cuDNN version mismatch: PyTorch was compiled against 7102 but linked against 7104
```

Message (torch 1.13; `free_gemm_select`):

```text
OSError: libcublas.so.11: symbol free_gemm_select version libcublasLt.so.11 not defined in file libcublasLt.so.11 with link time reference
```

Message (torch 2.0 to 2.13, without its nvidia-* packages; `libcublas.so`):

```text
ValueError: libcublas.so.*[0-9] not found in the system path ['', '/usr/lib/python310.zip', '/usr/lib/python3.10']
```
"""

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.explain.advice.libraries import not_where_it_is_looked_for
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="libraries that do not fit")
pitfall.breaks("cudnn-not-initialized", "torch-library-not-loaded")


@pitfall.explains(
    r"(?P<asks>lib(?:cu|nv)\w+\.so[\d.]*): undefined symbol: (?P<symbol>\w+)(?:, version (?P<lacks>[\w.-]+\w))?",
    r"(?P<asks>lib(?:torch|c10)\w*\.so): undefined symbol: (?P<symbol>\w+), version (?P<lacks>lib(?:cu|nv)[\w.-]+)",
    r"(?P<asks>lib[\w.]+): symbol (?P<symbol>\w+),? version (?P<lacks>lib(?:cu|nv)[\w.]+) not defined in file",
    odds=0.9,
)
def function_not_there(failure: Failure) -> Hits:
    asks, symbol, lacks = (failure.groups[name] for name in ("asks", "symbol", "lacks"))
    yield failure.hit(
        f"{asks} wants `{symbol}`, and the {lacks or 'library'} that was found does not have it: "
        "LD_LIBRARY_PATH or the system puts another copy before PyTorch's"
    )


@pitfall.explains(r"undefined symbol: (?P<symbol>(?:cu|nccl)[A-Z]\w+)", odds=0.85)
def function_not_in_the_driver(failure: Failure) -> Hits:
    symbol = failure.groups["symbol"]
    if symbol.startswith("nccl"):
        yield failure.hit(
            f"another NCCL without `{symbol}` is found first: LD_LIBRARY_PATH, or the nvidia-nccl of another CUDA was "
            "installed over PyTorch's"
        )
        return
    yield failure.hit(f"the driver is too old: its libcuda has no `{symbol}`; update it")


@pitfall.explains(
    r"(?P<library>lib(?:cudnn|cublas|cudart|cufft|cufile|cudss|curand|cusparse|cusolver|cupti|nccl|nvrtc|nvJitLink|nvToolsExt|nvshmem)\w*\.so[\d.]*): "
    r"cannot open shared object file",
    r"(?P<library>lib(?:cu|nv|nccl)\w+\.so)\.\*\[0-9\] not found in the system path",
    odds=0.9,
)
def library_not_there(failure: Failure) -> Hits:
    yield failure.hit(not_where_it_is_looked_for(failure, failure.groups["library"]))


@pitfall.explains(
    r"CUDNN_STATUS_(?:SUBLIBRARY_)?VERSION_MISMATCH",
    r"cuDNN version (?:incompatibility|mismatch): PyTorch was compiled against",
    odds=0.95,
)
def parts_of_two_cudnn(failure: Failure) -> Hits:
    yield failure.hit("two versions of cuDNN meet: keep the one PyTorch brings")


@pitfall.probes
def another_copy_in_front(machine: Machine) -> Hits:
    for stem, package in machine.cuda_packages:
        own = numbers(package.version)
        for copy in (*machine.libraries(stem), *machine.libraries_of_conda(stem)):
            differs = copy.version[:1] == own[:1] and copy.version[:3] != own[:3]
            if len(copy.version) < 2 or copy.folder.startswith(package.folder) or not differs:
                continue
            yield machine.hit(
                f"{copy.name} of {copy.folder} stands beside the {package.version} that PyTorch brings: "
                "libraries that ask for it by name get a copy which is not made for them",
                copy.off_the_way,
                {copy.path: copy.by or "on the loader's way", package.info: package.version},
                sure=copy.by == "$LD_LIBRARY_PATH",
            )
            break


@pitfall.probes
def libtorch_in_front(machine: Machine) -> Hits:
    torch = machine.torch
    own = machine.real(f"{torch.folder}/torch/lib") if torch is not None else ""
    for copy in machine.libraries("libc10"):
        if torch is not None and copy.by and copy.folder != own:
            yield machine.hit(
                f"the {copy.name} of {copy.folder} is found before PyTorch's own: importing torch fails "
                "or mixes two versions",
                copy.off_the_way,
                {copy.path: copy.by, torch.file: torch.version},
            )
