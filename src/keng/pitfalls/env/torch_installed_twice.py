r"""Several copies of PyTorch are installed.

Python takes the first on `sys.path`: a copy in the user's own folder (`pip install --user`) stands before that of
conda, and one that conda and pip have both written to has files of two versions. What is updated is then not what
is imported.

Cure: `python -c "import torch; print(torch.__file__)"` shows which one wins; uninstall all, then install one.

Machine (`torch 2.4.0 and 2.9.0 in one folder`):

```toml
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0.dist-info/METADATA" = "Name: torch\n"
"/env/site-packages/torch-2.4.0.dist-info/METADATA" = "Name: torch\n"
```

Machine (the user's own comes first: `hides the 2.9.0`):

```toml
path = ["/home/u/.local/lib/python3.11/site-packages", "/env/site-packages"]
[files]
"/home/u/.local/lib/python3.11/site-packages/torch/version.py" = "__version__ = '2.1.0+cu121'\ncuda: Optional[str] = '12.1'\n"
"/home/u/.local/lib/python3.11/site-packages/torch-2.1.0.dist-info/METADATA" = "Name: torch\n"
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0.dist-info/METADATA" = "Name: torch\n"
```

Sound (one copy, by two names of one folder, written down twice; packages whose names begin so):

```toml
path = ["/env/site-packages", "/env/lib64"]
[files]
"/env/site-packages/torch/version.py" = "__version__ = '2.9.0+cu128'\ncuda: Optional[str] = '12.8'\n"
"/env/site-packages/torch-2.9.0.dist-info/METADATA" = "Name: torch\n"
"/env/site-packages/torch-2.9.0-py3.11.egg-info/PKG-INFO" = "Name: torch\n"
"/env/site-packages/torch_geometric-2.6.0.dist-info/METADATA" = "Name: torch-geometric\n"
"/env/lib64" = { link = "site-packages" }
```

Message (a libtorch that LD_LIBRARY_PATH names comes before its own; `libtorch_python.so`):

```text
ImportError: /usr/local/lib/python3.6/dist-packages/torch/lib/libtorch_python.so: undefined symbol: _ZTIN5torch11distributed3rpc8RpcAgentE
```
"""

from keng.env.machine import Machine
from keng.env.packages import numbers, parts
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.probes
def several_copies(machine: Machine) -> Hits:
    copies = {(machine.real(c.folder), c.version): c for c in machine.copies_of("torch")}
    if len(copies) < 2:
        return
    first, second, *_ = copies.values()
    together = machine.real(first.folder) == machine.real(second.folder)
    release = parts(max(first.version, second.version, key=numbers))[0]
    versions = " and ".join(sorted((first.version, second.version)))
    says = f"torch {versions} in one folder: files of two versions are mixed"
    hides = f"torch {first.version} of {first.folder} hides the {second.version} of {second.folder}"
    yield machine.hit(
        says if together else hides,
        f"pip uninstall -y torch && pip uninstall -y torch && pip install torch=={release}"
        if together
        else f"pip uninstall -y torch # {first.version}, which is in front",
        {copy.info: copy.version for copy in (first, second)},
    )


@pitfall.explains(
    r"torch/(?:lib/(?P<file>lib\w+\.so)|_C[\w.-]{0,60}\.so): undefined symbol: _Z\w{0,60}?(?:3c10|2at|5torch|6caffe2)\w+",
    odds=0.95,
)
def mixed_with_another(failure: Failure) -> Hits:
    file = failure.groups["file"] or "torch/_C"
    yield failure.hit(
        f"{file} meets libraries of another PyTorch: `echo $LD_LIBRARY_PATH` must name no libtorch, and torch is to be installed anew"
    )
