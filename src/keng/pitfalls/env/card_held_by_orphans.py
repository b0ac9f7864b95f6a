r"""Processes of a run that has ended still hold the card.

Where the main process of a run is killed, its workers, or the other ranks, may stay: nobody asks for their end, and
their memory on the card stays taken. nvidia-smi shows memory in use, in a container often without any process, and
a new run goes out of memory though nothing seems to run.

Cure: end them by their number, `kill 4161`; `fuser -v /dev/nvidia*` lists all that hold a card.

Machine (workers without a parent: `4162`):

```toml
[files]
"/proc/4162/stat" = "4162 (python) S 1 4100"
"/proc/4162/cmdline" = "/env/bin/python\u0000-c\u0000from multiprocessing.spawn import spawn_main; spawn_main(tracker_fd=5, pipe_handle=7)\u0000--multiprocessing-fork"
"/proc/4162/fd/12" = { link = "/dev/nvidia0" }
```

Machine (not sure, as it may have been started so: `nohup`):

```toml
[files]
"/proc/4162/stat" = "4162 (python) S 1 4100"
"/proc/4162/cmdline" = "python\u0000train.py"
"/proc/4162/fd/12" = { link = "/dev/nvidia0" }
```

Sound (a run with its workers; a service of the driver):

```toml
[files]
"/proc/4161/stat" = "4161 (python) S 900 4100"
"/proc/4161/cmdline" = "python\u0000train.py"
"/proc/4161/fd/12" = { link = "/dev/nvidia0" }
"/proc/4162/stat" = "4162 (python) S 4161 4100"
"/proc/4162/cmdline" = "/env/bin/python\u0000-c\u0000from multiprocessing.spawn import spawn_main\u0000--multiprocessing-fork"
"/proc/4162/fd/12" = { link = "/dev/nvidia0" }
"/proc/801/stat" = "801 (nvidia-persiste) S 1 801"
"/proc/801/cmdline" = "/usr/bin/nvidia-persistenced"
"/proc/801/fd/3" = { link = "/dev/nvidia0" }
```
"""

from keng.env.machine import Machine
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")

CHILDREN = ("multiprocessing.spawn", "multiprocessing.forkserver", "--multiprocessing-fork")


@pitfall.probes
def without_a_parent(machine: Machine) -> Hits:
    orphans = [p for p in machine.processes if p.parent == 1 and "python" in p.command]
    held = dict(machine.holders_below("/dev/nvidia")) if orphans else {}
    for process in orphans:
        if process.pid not in held or process.pid == 1:
            continue
        child = any(word in process.command for word in CHILDREN)
        doubt = "" if child else ", unless it was started with nohup"
        yield machine.hit(
            f"process {process.pid} holds {held[process.pid]}, and the run that started it has ended{doubt}",
            f"kill {process.pid}",
            {f"/proc/{process.pid}/cmdline": process.command[:120]},
            sure=child,
        )
