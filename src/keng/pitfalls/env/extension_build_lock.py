r"""A build that was interrupted keeps the next one waiting.

`torch.utils.cpp_extension.load` compiles an extension under a lock, in torch 2.13 still an empty file
`lock` in its folder of `~/.cache/torch_extensions`. Where the process that compiles is killed, the file stays, and every
later program waits for it to vanish, without end and without a word. What is seen is a program that
hangs, and on Ctrl-C a traceback that ends in `file_baton.py`.

Cure: make sure that nothing compiles there (`ps`), then delete the file `lock`, or the extension's whole
folder.

Bad (a lock whose owner is gone):

```python
import os

from torch.utils.file_baton import FileBaton

open("lock", "w").close()
baton = FileBaton("lock")
acquired = baton.try_acquire()
waits = os.path.exists("lock")
```

Proof:

```python
assert not acquired and waits
```

Bad (waiting for it, until somebody takes it away):

```python
import os
from threading import Timer

from torch.utils.file_baton import FileBaton

open("lock", "w").close()
baton = FileBaton("lock")
Timer(0.5, os.remove, ["lock"]).start()
if not baton.try_acquire():
    baton.wait()  # seen: no process has it open
```

Good:

```python
from torch.utils.file_baton import FileBaton

baton = FileBaton("lock")
if baton.try_acquire():
    baton.release()
```

Message (torch 1.0 to 2.13, after Ctrl-C):

```text
Traceback (most recent call last):
  File "train.py", line 3, in <module>
    ops = load("ops", ["ops.cpp"])
  File "/opt/env/lib/python3.11/site-packages/torch/utils/cpp_extension.py", line 1681, in load
    return _jit_compile(
  File "/opt/env/lib/python3.11/site-packages/torch/utils/cpp_extension.py", line 2156, in _jit_compile
    baton.wait()
  File "/opt/env/lib/python3.11/site-packages/torch/utils/file_baton.py", line 50, in wait
    time.sleep(self.wait_seconds)
KeyboardInterrupt
```

Message (torch 2.13, a time-out of the test runner):

```text
Timeout (0:02:00)!
Thread 0x00007f3 (most recent call first):
  File "/opt/venv/lib/python3.12/site-packages/torch/utils/file_baton.py", line 50 in wait
  File "/opt/venv/lib/python3.12/site-packages/torch/utils/cpp_extension.py", line 2156 in _jit_compile
```

Machine (nobody holds the lock: `no process holds`):

```toml
[files]
"/root/.cache/torch_extensions/py311_cu128/ops/lock" = ""
"/root/.cache/torch_extensions/py311_cu128/ops/build.ninja" = ""
"/proc/self/stat" = "77 (keng) S 1 77"
"/proc/77/fd/0" = { link = "/dev/null" }
```

Machine (not sure: the folder is on a network, and another machine may compile):

```toml
[environment]
TORCH_EXTENSIONS_DIR = "/shared/extensions"
[files]
"/shared/extensions/ops/lock" = ""
"/proc/mounts" = "disk / ext4 rw 0 0\nhost:/home /shared nfs4 rw 0 0\n"
"/proc/self/stat" = "77 (keng) S 1 77"
"/proc/77/fd/0" = { link = "/dev/null" }
```

Sound (a build that goes on; a package that is called lock):

```toml
[files]
"/root/.cache/torch_extensions/py311_cu128/ops/lock" = ""
"/root/.cache/torch_extensions/py311_cu128/lock/lock.so" = ""
"/proc/4161/stat" = "4161 (python) S 1 4161"
"/proc/4161/fd/5" = { link = "/root/.cache/torch_extensions/py311_cu128/ops/lock" }
"/proc/self/stat" = "77 (keng) S 1 77"
```
"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import WaitedLock

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.explains(
    r"time\.sleep\(self\.wait_seconds\)",
    r"torch/utils/file_baton\.py\W{1,3}line \d+ in wait",
    odds=0.9,
)
def waiting_for_the_lock(failure: Failure) -> Hits:
    yield failure.hit(
        "the build waits for a lock that an interrupted one has left: delete the file `lock` in the "
        "extension's folder under ~/.cache/torch_extensions"
    )


@pitfall.probes
def lock_that_nobody_holds(machine: Machine) -> Hits:
    """The process that compiles keeps the lock open from its making to its end."""
    for lock in machine.extension_files("lock"):
        holders = machine.holders(lock)
        if holders:
            continue
        proved = holders is not None and not machine.seen_by_others(lock)
        yield machine.hit(
            f"{lock} is there and no process holds it{'' if proved else ' that can be seen from here'}: "
            "every program that wants this extension waits for ever",
            f"rm {lock}",
            {lock: machine.age(lock), "/proc": "no process holds it open"},
            sure=proved,
            removes=(lock,) if proved else (),
        )


@pitfall.watches("lock.waited")
def nobody_builds(lock: WaitedLock) -> Hits:
    if not lock.held:
        says = f"waits for {lock.path}, which no process has open: an interrupted build has left it"
        yield lock.hit(f"{says}; delete it", age=lock.age)
