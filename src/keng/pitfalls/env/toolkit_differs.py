r"""Extensions are compiled with another CUDA than PyTorch's.

PyTorch brings the libraries of CUDA, not its compiler. `torch.utils.cpp_extension` takes the `nvcc` of
`CUDA_HOME`, of the path, or of `/usr/local/cuda`, and refuses one whose major version is not that of
PyTorch's CUDA; another minor version only warns. `nvcc` in its turn refuses a gcc that is newer than itself.

Cure: install the toolkit of PyTorch's CUDA and point to it, `export CUDA_HOME=/usr/local/cuda-12.8`, or take a
PyTorch that was built for the toolkit which is there; for a gcc that is too new an older one beside it,
`export CC=gcc-12 CXX=g++-12`.

Message (torch 1.5 to 2.13):

```text
RuntimeError:
The detected CUDA version (11.8) mismatches the version that was used to compile
PyTorch (12.8). Please make sure to use the same CUDA versions.
```

Machine (`CUDA 11.8, PyTorch is built for 12.8`):

```toml
[environment]
PATH = "/usr/bin:/usr/local/cuda-11.8/bin"
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/usr/local/cuda-11.8/bin/nvcc" = ""
"/usr/local/cuda-11.8/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "11.8.20220929"}}'
```

Sound (another minor version; a PyTorch without CUDA is not asked):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}}'
```

Sound (no CUDA in this PyTorch):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cpu'\ncuda: Optional[str] = None\n"
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.txt" = "CUDA Version 10.2.89"
```

Machine (gcc is newer: `takes gcc up to 12, and this is gcc 13`):

```toml
[environment]
PATH = "/usr/bin"
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}}'
"/usr/local/cuda/include/crt/host_config.h" = '''
#if __GNUC__ > 12
#error -- unsupported GNU version! gcc versions later than 12 are not supported!
#endif
'''
"/usr/bin/gcc" = { link = "gcc-13" }
"/usr/bin/gcc-13" = { link = "x86_64-linux-gnu-gcc-13" }
"/usr/bin/x86_64-linux-gnu-gcc-13" = ""
```

Sound (gcc is newer, and another one is chosen):

```toml
[environment]
PATH = "/usr/bin"
CC = "gcc-12"
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/usr/local/cuda/bin/nvcc" = ""
"/usr/local/cuda/version.json" = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}}'
"/usr/local/cuda/include/crt/host_config.h" = '''
#error -- unsupported GNU version! gcc versions later than 12 are not supported!
'''
"/usr/bin/gcc" = { link = "gcc-13" }
"/usr/bin/gcc-13" = ""
"/usr/bin/gcc-12" = ""
```

Message (torch 1.13 to 2.13, no toolkit):

```text
OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.
```

Message (nvcc 12, a compiler that is too new):

```text
error: #error -- unsupported GNU version! gcc versions later than 12 are not supported! The nvcc flag '-allow-unsupported-compiler' can be used to override this version check
```

Message (torch 1.0 to 2.13; `CUDA_HOME`):

```text
error: [Errno 2] No such file or directory: ':/usr/local/cuda-11.4/bin/nvcc'
```

Message (apex's setup.py; `a toolkit of 11.8`):

```text
RuntimeError: Cuda extensions are being compiled with a version of Cuda that does not match the version used to compile Pytorch binaries.  Pytorch binaries were compiled with Cuda 11.8.
```

Message (a setup.py without a toolkit; `CUDA_HOME`):

```text
Traceback (most recent call last):
  File "setup.py", line 106, in <module>
    _, bare_metal_version = get_cuda_bare_metal_version(CUDA_HOME)
  File "setup.py", line 17, in get_cuda_bare_metal_version
    raw_output = subprocess.check_output([cuda_dir + "/bin/nvcc", "-V"], universal_newlines=True)
TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'
```

Message (the shell; `CUDA_HOME`):

```text
/bin/sh: 1: :/usr/local/cuda/bin/nvcc: not found
```

Message (setuptools; `CUDA_HOME`):

```text
unable to execute ':/usr/local/cuda/bin/nvcc': No such file or directory
```

Message (DeepSpeed; `CUDA 11.7`):

```text
deepspeed.ops.op_builder.builder.CUDAMismatchException: >- DeepSpeed Op Builder: Installed CUDA version 11.7 does not match the version torch was compiled with 12.1, unable to compile cuda/cpp extensions without a matching cuda version.
```

Message (DeepSpeed):

```text
deepspeed.ops.op_builder.builder.MissingCUDAException: CUDA_HOME does not exist, unable to compile CUDA op(s)
```

Message (torch 1.5 to 2.13, what ninja ran; `/usr/local/cuda-10.2/bin/nvcc`):

```text
RuntimeError: Error building extension 'ops': [1/6] :/usr/local/cuda-10.2/bin/nvcc  -DTORCH_EXTENSION_NAME=ops -DTORCH_API_INCLUDE_EXTENSION_H
```

Message (torch 2.8 to 2.13; `/usr/local/cuda/bin/nvcc`):

```text
FileNotFoundError: nvcc not found at '/usr/local/cuda/bin/nvcc'. Ensure CUDA path '/usr/local/cuda' is correct.
```
"""

import re

from keng.env.machine import Machine
from keng.env.packages import numbers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")

NEWEST = re.compile(r"gcc versions later than (\d{1,2}) are not supported")


@pitfall.explains(
    r"detected CUDA version \((?P<there>[\d.]+)\) mismatches the version that was used to compile\s+PyTorch \((?P<own>[\d.]+)\)",
    r"Installed CUDA version (?P<there>[\d.]+) does not match the version torch was compiled with (?P<own>[\d.]+),",
    r"Cuda extensions are being compiled with a version of Cuda that does not match.{0,90}?were compiled with Cuda (?P<own>[\d.]+\d)",
    odds=0.95,
)
def refused(failure: Failure) -> Hits:
    there, own = failure.groups.get("there"), failure.groups["own"]
    nvcc = f"nvcc is of CUDA {there}" if there else "nvcc is of another CUDA"
    yield failure.hit(
        f"{nvcc}, PyTorch of {own}: CUDA_HOME to a toolkit of {own}, or a PyTorch built for that of nvcc"
    )


@pitfall.explains(r"unsupported GNU version! gcc versions later than (?P<newest>\d+) are", odds=0.9)
def compiler_too_new(failure: Failure) -> Hits:
    gcc = failure.groups["newest"]
    yield failure.hit(f"nvcc takes gcc up to {gcc}: CC=gcc-{gcc} CXX=g++-{gcc}, or a newer toolkit")


@pitfall.probes
def compiler_of_another_cuda(machine: Machine) -> Hits:
    torch, toolkit = machine.torch, machine.toolkit
    if torch is None or toolkit is None or not torch.cuda:
        return
    if numbers(toolkit.version)[:1] != numbers(torch.cuda)[:1]:
        yield machine.hit(
            f"the toolkit at {toolkit.folder} is of CUDA {'.'.join(toolkit.version.split('.')[:2])}, "
            f"PyTorch is built for {torch.cuda}: extensions do not compile",
            f"export CUDA_HOME=/usr/local/cuda-{torch.cuda}",
            {toolkit.file: toolkit.version, torch.file: torch.cuda},
        )


@pitfall.probes
def compiler_newer_than_nvcc(machine: Machine) -> Hits:
    torch, toolkit = machine.torch, machine.toolkit
    if torch is None or toolkit is None or not torch.cuda:
        return
    newest = NEWEST.search(machine.read(toolkit.host_config))
    compiler = machine.program(machine.variable("CC") or "gcc")
    own = re.search(r"gcc-(\d{1,2})$", compiler)
    if newest is not None and own is not None and int(own[1]) > int(newest[1]):
        yield machine.hit(
            f"nvcc of CUDA {toolkit.version} takes gcc up to {newest[1]}, and this is gcc {own[1]}: "
            "extensions do not compile",
            f"sudo apt install g++-{newest[1]} && export CC=gcc-{newest[1]} CXX=g++-{newest[1]}",
            {compiler: own[0], toolkit.host_config: newest[0]},
        )


@pitfall.explains(
    r"(?:No such file or directory:|unable to execute) '(?P<path>[^']{0,200}/bin/nvcc)'",
    r"nvcc not found at '(?P<path>[^']{1,200})'",
    r"(?:^|[\s\]]):(?P<path>/[^\s:]{1,200}(?::[^\s:]{1,200}){0,9}/bin/nvcc) {1,2}-",
    r"sh: (?:\d{1,3}: |line \d{1,3}: )?(?P<path>\S{0,200}/bin/nvcc): (?:not found|No such file)",
    odds=0.95,
)
def compiler_not_there(failure: Failure) -> Hits:
    says = f"{failure.groups['path'].lstrip(':')} is not there: CUDA_HOME is the one folder of the toolkit"
    yield failure.hit(says)


@pitfall.explains(
    r"\bCUDA_HOME (?:environment variable is not set|does not exist, unable)",
    r"unsupported operand type\(s\) for \+: 'NoneType' and 'str'",
    odds=0.95,
)
def no_toolkit(failure: Failure) -> Hits:
    if "CUDA_HOME" in failure.message or "nvcc" in failure.line:
        says = "no CUDA toolkit is found, or none with nvcc: one of torch.version.cuda, and export CUDA_HOME=/usr/local/cuda; the image `devel` has it"
        yield failure.hit(says)
