"""The machine: dataLoader workers run out of shared memory."""

from __future__ import annotations

from keng.env.machine import Machine
from keng.model import Hits, say
from keng.rules import probes

MIB = 1 << 20


USUAL = 64 * MIB
"""What Docker and Kubernetes give a container that asks for no more."""


FEW_FILES = 1024


@probes
def small_or_full(machine: Machine) -> Hits:
    space = machine.space("/dev/shm")
    if space is None or space.free > USUAL:
        return
    full = space.total > USUAL
    small = say("shm-small", total=space.total // MIB)
    yield machine.hit(
        say("shm-nearly-full", free=space.free // MIB) if full else small,
        "df -h /dev/shm" if full else "docker run --shm-size=8g ...",
        {"/dev/shm": f"{space.free // MIB} of {space.total // MIB} MiB free"},
    )


@probes
def left_by_dead_processes(machine: Machine) -> Hits:
    left = [] if machine.in_container else machine.left_in_shared_memory
    bytes_left = sum(size for _, size in left)
    if bytes_left > USUAL:
        files = [path for path, _ in left]
        yield machine.hit(
            say("files-left", count=len(files), size=bytes_left // MIB),
            f"rm {' '.join(files[:3])}{' ...' if len(files) > 3 else ''}",
            {path: f"{size // MIB} MiB, its process is gone" for path, size in left[:3]},
        )


@probes
def few_open_files(machine: Machine) -> Hits:
    limit = machine.limit("nofile")
    # Elsewhere tensors are handed over by the names of files, which are closed.
    if 0 <= limit <= FEW_FILES and machine.platform == "linux":
        yield machine.hit(
            say("few-open-files", limit=limit),
            "ulimit -n 65536",
            {"ulimit -n": limit},
            sure=False,
        )
