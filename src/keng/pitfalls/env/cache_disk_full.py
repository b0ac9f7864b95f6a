r"""The disk of a cache or of the temporary folder is full.

Weights are downloaded to `~/.cache`, compiled kernels of Triton and Inductor go there or to `/tmp`, and so
do the files that processes exchange. Where the disk is full, what was being written is cut off, and what is
reported is a damaged file or a failed compilation as often as "No space left on device".

Cure: make room, or move the caches: `HF_HOME`, `TORCH_HOME`, `TRITON_CACHE_DIR`, `TMPDIR`.

Message (any version):

```text
OSError: [Errno 28] No space left on device
```

Message (any version, Inductor's cache):

```text
torch._inductor.exc.InductorError: OSError: [Errno 28] No space left on device: '/tmp/torchinductor_root/ab'
```

Machine (`/tmp has 3 MiB left`):

```toml
[disks]
"/tmp" = { total = 10240, free = 3 }
```

Machine (where the weights go: `/data/hf has 0 MiB left`):

```toml
[environment]
HF_HOME = "/data/hf"
[disks]
"/data/hf" = { total = 512000, free = 0 }
```

Sound (room; a cache that was moved away from a full disk):

```toml
[environment]
HF_HOME = "/data/hf"
XDG_CACHE_HOME = "/data/cache"
TMPDIR = "/data/tmp"
[disks]
"/data/hf" = { total = 512000, free = 51200 }
"/data/cache" = { total = 512000, free = 51200 }
"/data/tmp" = { total = 512000, free = 51200 }
"/tmp" = { total = 100, free = 0 }
"/root/.cache" = { total = 100, free = 0 }
```

Message (pip; `downloaded`):

```text
  File "/env/lib/python3.10/site-packages/pip/_vendor/cachecontrol/filewrapper.py", line 94, in read
    self.__buf.write(data)
  File "/usr/lib/python3.10/tempfile.py", line 483, in func_wrapper
    return func(*args, **kwargs)
OSError: [Errno 28] No space left on device
```

Message (huggingface_hub; `9976.58 MB`):

```text
UserWarning: Not enough free disk space to download the file. The expected file size is: 9976.58 MB. The target location /root/.cache/huggingface only has 4120.20 MB free disk space.
```
"""

import re

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

LEAST = 100
"""MiB, less than the smallest of pretrained weights."""


@pitfall.explains(r"No space left on device(?!: ')", odds=0.8)
def no_room_for_a_download(failure: Failure) -> Hits:
    if any(re.search(r"[/\\](?:pip|huggingface_hub|torch)[/\\]", f.path) for f in failure.frames):
        yield failure.hit(
            "the disk is full while a package or weights are downloaded: make room, or TMPDIR and HF_HOME elsewhere"
        )


@pitfall.explains(
    r"No space left on device: '(?P<path>[^']{1,300}/(?:torchinductor_|torch_extensions|\.triton|huggingface|hub)[^']*)'",
    odds=0.9,
)
def no_room_for_a_cache(failure: Failure) -> Hits:
    yield failure.hit(f"the disk of {failure.groups['path']} is full: make room, or move the cache")


@pitfall.explains(r"\[Errno 28\] No space left on device(?!:)", odds=0.6)
def no_room_somewhere(failure: Failure) -> Hits:
    yield failure.hit(
        "a disk is full, and the message does not say which: `df -h` of the folder that is written to, of "
        "/tmp, and of the caches"
    )


@pitfall.probes
def no_room_left(machine: Machine) -> Hits:
    for variable, folder in machine.caches.items():
        space = machine.space(folder)
        if space is not None and space.free < LEAST << 20 and space.total:
            free = space.free >> 20
            yield machine.hit(
                f"{folder} has {free} MiB left: what is downloaded or compiled there is cut off",
                f"du -xh {folder} | sort -h | tail # or export {variable}=...",
                {folder: f"{free} of {space.total >> 20} MiB free"},
            )
            return


@pitfall.explains(
    r"Not enough free disk space to download the file\.(?: The expected file size is: (?P<size>[\d.]{1,20} MB)\. The target location (?P<folder>\S{1,300}) only has (?P<free>[\d.]{1,20} MB))?",
    odds=0.95,
)
def no_room_for_weights(failure: Failure) -> Hits:
    size, folder, free = (failure.groups.get(key) for key in ("size", "folder", "free"))
    told = f" ({size} to come, {free} in {folder})" if size else ""
    yield failure.hit(
        f"the disk has no room for the weights{told}, and what is written is cut off: HF_HOME on another disk, or hf cache rm"
    )
