r"""An installation of PyTorch does not come to its end.

The wheels of PyTorch weigh gigabytes and hold deep folders. A download that was cut or changed on the way, or taken damaged
from pip's cache, has another hash than the index tells; a Python that still runs holds the libraries open, so that
Windows does not let them be replaced; and Windows without long paths cannot write the headers. pip then leaves the
old package half removed, under a name that begins with `~`, or files of it in `torch` that no package owns: Python
takes that folder for an empty package.

Cure: for a hash, `pip install --no-cache-dir` again over a steady connection (`--timeout 1000`), or the wheel by a browser; for access denied,
close notebooks, editors and all that runs this Python; for long paths, switch them on in the registry or use a
shorter folder; delete folders such as `site-packages/~orch`.

Bad:

```python
import subprocess
import sys

pip = [sys.executable, "-m", "pip", "install"]
subprocess.run([*pip, "torch"], check=True)
```

Good:

```python
import subprocess
import sys

pip = [sys.executable, "-m", "pip", "install", "--no-cache-dir"]
print([*pip, "torch"])
```

Message (pip; `torch`):

```text
ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the package versions, please update the hashes. Otherwise, examine the package contents carefully; someone may have tampered with them.
    torch from https://download.pytorch.org/whl/cu118/torch-2.1.0%2Bcu118-cp311-cp311-linux_x86_64.whl#sha256=bcb17e2de6ca634d326203694d0bfb552587335e536c1917be3f28c5664b5506:
        Expected sha256 bcb17e2de6ca634d326203694d0bfb552587335e536c1917be3f28c5664b5506
             Got        f1a1a503fb72a82a21fcc46f9feb1b93c189f5744c64bc511963a055342ba644
```

Message (pip, under Windows; `asmjit.dll`):

```text
ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied: 'C:\\Python39\\Lib\\site-packages\\~orch\\lib\\asmjit.dll'
Consider using the `--user` option or check the permissions.
```

Message (pip, under Windows; `long paths`):

```text
ERROR: Could not install packages due to an OSError: [Errno 2] No such file or directory: 'C:\\Users\\u\\AppData\\Local\\Packages\\PythonSoftwareFoundation.Python.3.10_qbz5n2kfra8p0\\LocalCache\\local-packages\\Python310\\site-packages\\torch\\include\\ATen\\ops\\_fake_quantize_per_tensor_affine_cachemask_tensor_qparams_compositeexplicitautograd_dispatch.h'
HINT: This error might have occurred since this system does not have Windows Long Path support enabled.
```

Machine (pip renames a package before it removes it: `~orch`):

```toml
[files]
"/env/site-packages/torch/__init__.py" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0'\n"
"/env/site-packages/torch-2.13.0.dist-info/METADATA" = "Name: torch"
"/env/site-packages/~orch/lib/libtorch_cpu.so" = ""
"/env/site-packages/~orch-2.1.0.dist-info/METADATA" = "Name: torch"
```

Machine (what no package owns any more: `has no __init__.py`):

```toml
[files]
"/env/site-packages/torch/lib/libc10.so" = ""
```

Sound (PyTorch beside a folder of somebody's notes, and an empty one on the way):

```toml
path = ["/env/extra", "/env/site-packages"]
[files]
"/env/extra/torch/notes.txt" = ""
"/env/site-packages/~notes/a.txt" = ""
"/env/site-packages/torch/__init__.py" = ""
"/env/site-packages/torch/version.py" = "__version__ = '2.13.0'\n"
"/env/site-packages/torch-2.13.0.dist-info/METADATA" = "Name: torch"
```

Message (pip; `~orch`):

```text
WARNING: Ignoring invalid distribution -orch (c:\python39\lib\site-packages)
```

Message (poetry 1.4; `torch-1.12.1`):

```text
  • Installing torch (1.12.1): Failed

  _WheelFileValidationError

  ["In /root/.cache/pypoetry/artifacts/7f/torch-1.12.1-cp39-cp39-manylinux1_x86_64.whl, hash / size of torch-1.12.1.dist-info/METADATA didn't match RECORD"]
```

Message (pip):

```text
pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='download.pytorch.org', port=443): Read timed out.
```

Message (poetry; `torch`):

```text
  RuntimeError

  Hash for torch (2.1.2) from archive torch-2.1.2-cp311-cp311-win_amd64.whl not found in known hashes (was: sha256:7ff818fcd4a53dbe416dcbe96712066aa32f224c4bf52f86ba3446b7f8591498)
```
"""

import re

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a download that is cut")
pitfall.breaks("module-shadowed")

HALF = re.compile(r"~+(?:orch|vidia|riton)(?:[-_a-z].*)?")
"""A name of PyTorch's or its libraries' whose first letter pip has replaced."""


@pitfall.explains(
    r"host='download\S{0,20}\.pytorch\.org'.{0,60}?(?:timed out|Connection|retries)", odds=0.9
)
def not_fetched(failure: Failure) -> Hits:
    says = "the download of a wheel of gigabytes broke off: pip --default-timeout=1000, a proxy or mirror, or fetch the wheel by hand"
    yield failure.hit(says)


@pitfall.explains(
    r"DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE[^#]{0,300}?\s(?P<name>torch\w*|triton|nvidia[\w-]+)(?:==\S{1,40})? from ",
    r"Hash for (?P<name>torch\w*|triton|nvidia[\w-]+) \([\w.+]{1,30}\) from archive \S{1,160} not found in known hashes",
    r"(?P<name>torch\w*-[\w.+%]{3,60})-(?:cp|py)[\w.-]{2,80}\.whl, hash / size of \S{1,160} didn't match (?P<list>RECORD)",
    odds=0.95,
)
def another_hash(failure: Failure) -> Hits:
    if failure.groups.get("list"):
        says = f"the list of files in {failure.groups['name']} has mistakes, which this poetry refuses: another poetry, or pip install"
        yield failure.hit(says)
        return
    says = f"the download of {failure.groups['name']} is not whole, or its copy in pip's cache: pip install --no-cache-dir, or fetch the wheel by hand"
    yield failure.hit(says)


@pitfall.explains(
    r"\[WinError 5\] .{0,300}?[\\/]{1,2}[~t]orch\w*[\\/].{0,200}?(?P<file>[\w.-]{1,80}\.(?:dll|pyd|exe))",
    odds=0.95,
)
def held_open(failure: Failure) -> Hits:
    says = f"{failure.groups['file']} is in use: close every notebook, editor and program of this Python, then install again"
    yield failure.hit(says)


@pitfall.explains(
    r"[\\/]torch[\\/]{1,2}include[\\/][^!]{1,400}?does not have Windows Long Path support",
    odds=0.95,
)
def path_too_long(failure: Failure) -> Hits:
    says = "Windows refuses paths as long as those of torch's headers: enable long paths, or a Python in a shorter folder"
    yield failure.hit(says)


@pitfall.explains(r"Ignoring invalid distribution [-~](?P<rest>orch\w*)", odds=0.9)
def half_removed(failure: Failure) -> Hits:
    says = f"site-packages holds ~{failure.groups['rest']}, left by an installation that broke off: delete that folder, then install again"
    yield failure.hit(says)


@pitfall.probes
def renamed_and_not_removed(machine: Machine) -> Hits:
    for folder in machine.path:
        names = [name for name in machine.names(folder) if HALF.fullmatch(name)]
        if names:
            yield machine.hit(
                f"{folder} holds {names[0]}, which an installation that broke off has left",
                f"rm -r {' '.join(f'{folder}/{name}' for name in names[:4])}",
                {f"{folder}/{name}": "there" for name in names[:4]},
            )


@pitfall.probes
def owned_by_no_package(machine: Machine) -> Hits:
    """A package that is whole wins, wherever on the path it lies."""
    if machine.torch is not None:
        return
    for folder in machine.path:
        home = f"{folder}/torch"
        if machine.names(f"{home}/lib") and not machine.exists(f"{home}/__init__.py"):
            yield machine.hit(
                f"{home} has no __init__.py: `import torch` gives an empty module",
                f"rm -r {home} && pip install torch",
                {f"{home}/__init__.py": "not there", f"{home}/lib": "there"},
            )
