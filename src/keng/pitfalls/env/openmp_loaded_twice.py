r"""Two copies of the OpenMP library are loaded into one process.

PyTorch, NumPy of conda (with MKL), scikit-learn and others bring a copy each. Two runtimes of Intel's kind refuse to
live in one process, and the second one ends it. `KMP_DUPLICATE_LIB_OK=TRUE` only silences that: the
computations may then be slow, crash, or be wrong, as its own message says.

Cure: install all from one source, conda or pip, so that they share one copy; with conda `conda install nomkl`.

Message (any version):

```text
OMP: Error #15: Initializing libiomp5.so, but found libiomp5.so already initialized.
```

Message (on Windows):

```text
OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized.
```

Machine (`KMP_DUPLICATE_LIB_OK` silences it):

```toml
[environment]
KMP_DUPLICATE_LIB_OK = "TRUE"
```

Machine (a copy that is loaded before all: `libiomp5.so`):

```toml
[environment]
LD_PRELOAD = "/opt/intel/lib/libiomp5.so:/usr/lib/libjemalloc.so.2"
[files]
"/opt/intel/lib/libiomp5.so" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cpu'\ncuda: Optional[str] = None\n"
"/env/site-packages/torch/lib/libiomp5.so" = ""
```

Sound (switched off; a faster memory allocator):

```toml
[environment]
KMP_DUPLICATE_LIB_OK = "FALSE"
LD_PRELOAD = "/usr/lib/libjemalloc.so.2"
```

Sound (PyTorch's runtime is GNU's, and Intel's is loaded in its stead, as Intel advises):

```toml
[environment]
LD_PRELOAD = "/opt/intel/lib/libiomp5.so"
[files]
"/opt/intel/lib/libiomp5.so" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cpu'\ncuda: Optional[str] = None\n"
"/env/site-packages/torch/lib/libgomp.so.1" = ""
```

Message (conda's MKL beside GNU's OpenMP; `numpy`):

```text
Error: mkl-service + Intel(R) MKL: MKL_THREADING_LAYER=INTEL is incompatible with libgomp-7c85b1e2.so.1 library.
        Try to import numpy first or set the threading layer accordingly. Set MKL_SERVICE_FORCE_INTEL to force it.
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.explains(r"OMP: Error #15: Initializing (?P<library>\S+),", odds=0.95)
def already_initialized(failure: Failure) -> Hits:
    library = failure.groups["library"]
    yield failure.hit(
        f"two packages bring a copy of {library}: all from one source (pip or conda) in a fresh environment, so that one is left; KMP_DUPLICATE_LIB_OK=TRUE goes on, at a risk"
    )


@pitfall.probes
def error_silenced(machine: Machine) -> Hits:
    value = machine.variable("KMP_DUPLICATE_LIB_OK")
    if value.lower() in ("true", "1", "yes"):
        yield machine.hit(
            "`KMP_DUPLICATE_LIB_OK` hides that two copies of OpenMP are loaded, which may crash or compute "
            "wrongly",
            "unset KMP_DUPLICATE_LIB_OK",
            {"$KMP_DUPLICATE_LIB_OK": value},
        )


@pitfall.probes
def loaded_before_all(machine: Machine) -> Hits:
    torch = machine.torch
    for path in machine.variable("LD_PRELOAD").replace(":", " ").split():
        own = f"{torch.folder}/torch/lib/libiomp5.so" if torch is not None else ""
        if (
            "libiomp5" in path
            and own
            and machine.exists(own)
            and machine.real(path) != machine.real(own)
        ):
            yield machine.hit(
                f"{path} is loaded before all, and PyTorch brings a libiomp5.so of its own",
                "unset LD_PRELOAD",
                {"$LD_PRELOAD": path, own: "there"},
            )


@pitfall.explains(
    r"MKL_THREADING_LAYER=INTEL is incompatible with (?P<library>libgomp[\w.-]*)", odds=0.95
)
def of_intel_and_gnu(failure: Failure) -> Hits:
    yield failure.hit(
        f"MKL wants Intel's OpenMP, and GNU's {failure.groups['library']} was loaded first: import numpy before torch, or "
        "MKL_THREADING_LAYER=GNU"
    )
