r"""A folder for compiled code is mounted without the right to execute.

Triton, Inductor and `torch.utils.cpp_extension` compile a shared library into a cache and load it from there.
On a file system that is mounted `noexec`, as `/tmp` or home folders often are on shared machines, loading fails
although the file is there and its mode is right.

Cure: move the cache: `export TRITON_CACHE_DIR=... TORCHINDUCTOR_CACHE_DIR=... TORCH_EXTENSIONS_DIR=...` to a folder of
another file system; `findmnt -T FOLDER` shows how one is mounted.

Message (torch 2.2, where the file may not be executed):

```text
ImportError: /tmp/triton/3f2a/cuda_utils.so: failed to map segment from shared object
```

Message (any version):

```text
ImportError: /tmp/torchinductor_u/triton/ab/cuda_utils.so: failed to map segment from shared object: Operation not permitted
```

Machine (`/tmp is mounted noexec`):

```toml
[files]
"/tmp/" = ""
"/proc/mounts" = "disk / ext4 rw 0 0\ntmpfs /tmp tmpfs rw,nosuid,nodev,noexec 0 0\n"
```

Sound (executable; the cache is elsewhere):

```toml
[environment]
TMPDIR = "/scratch"
[files]
"/scratch/" = ""
"/proc/mounts" = "disk / ext4 rw 0 0\ntmpfs /tmp tmpfs rw,nosuid,nodev,noexec 0 0\nscratch /scratch xfs rw,nodev 0 0\n"
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")

COMPILED = ("TMPDIR", "TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR", "XDG_CACHE_HOME")


@pitfall.explains(
    r"(?P<file>/\S{1,300}\.so\S*): failed to map segment from shared object(?!: (?!Operation not permitted))",
    odds=0.95,
)
def may_not_be_executed(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['file']} lies on a file system that is mounted noexec: move the cache"
    )


@pitfall.probes
def mounted_noexec(machine: Machine) -> Hits:
    for variable, folder in machine.caches.items():
        point, _, options = machine.mount_of(folder)
        if variable in COMPILED and "noexec" in options:
            yield machine.hit(
                f"{point} is mounted noexec: nothing that is compiled into {folder} can be loaded",
                f"export {variable}=/somewhere/else",
                {"/proc/mounts": f"{point} {','.join(options)}"},
            )
            return
