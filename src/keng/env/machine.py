"""The view of a machine."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

from keng.env import cgroups, nvidia
from keng.env.files import Files
from keng.env.libraries import Library, libraries, libraries_in
from keng.env.nvidia import Card, Toolkit
from keng.env.packages import Package, Torch, packages, pins, torch
from keng.env.processes import Process, holders, holders_below, processes
from keng.env.subprocesses import CARDS, Silent, ask
from keng.model import Evidence, Fix, Hit, Safety

REMOTE = ("nfs", "cifs", "smb", "lustre", "beegfs", "ceph", "gpfs", "fuse", "9p", "virtiofs", "afs")


ULIMITS = {"nofile": "ulimit -n", "memlock": "ulimit -l"}


WHEEL = re.compile(r"-cu\d\d$")
BROUGHT = {
    "nvidia-cudnn": "libcudnn",
    "nvidia-cublas": "libcublas",
    "nvidia-nvjitlink": "libnvJitLink",
    "nvidia-cusparse": "libcusparse",
    "nvidia-cusolver": "libcusolver",
    "nvidia-cufft": "libcufft",
    "nvidia-nccl": "libnccl",
    "nvidia-cuda-runtime": "libcudart",
    "nvidia-cuda-nvrtc": "libnvrtc",
}
"""What the packages of NVIDIA bring, without the CUDA at the end of their names."""
SKIPPED = (".zip", "lib-dynload")


class Machine(Files):
    """What a prober is shown. `Machine.this()` is the one that we are on.

    `path` is `sys.path`, `here` the folder where the command was given, `limits` the soft limits of
    this process by their names ("nofile"; -1 for none), `cpus` the processors that Python counts,
    `python` its version, `asked` what a child tells to a question, or raises Silent.
    """

    path: tuple[str, ...] = ()
    here: str = "/"
    home: str = "/root"
    user: int = 0
    limits: Mapping[str, int] = MappingProxyType({})
    cpus: int = 1
    python: str = "3.11"
    platform: str = "linux"
    now: float = 0.0
    asked: Callable[[str], str] = ask

    @classmethod
    def this(cls, asked: Callable[[str], str] = ask) -> Machine:
        # A program has neither our script's folder on its path, nor packages among Python's own.
        ours = (os.path.dirname(os.path.abspath(sys.argv[0])), os.path.dirname(os.__file__))
        folders = (os.path.abspath(folder) for folder in sys.path if folder)
        return cls(
            environment=os.environ,
            path=tuple(f for f in folders if f not in ours and not f.endswith(SKIPPED)),
            here=os.getcwd(),
            home=os.path.expanduser("~"),
            user=os.getuid() if hasattr(os, "getuid") else 0,
            limits=limits(),
            cpus=os.cpu_count() or 1,
            python=f"{sys.version_info[0]}.{sys.version_info[1]}",
            platform=sys.platform,
            now=time.time(),
            asked=asked,
        )

    def hit(
        self,
        says: str,
        command: str,
        seen: Mapping[str, object],
        sure: bool = True,
        removes: tuple[str, ...] = (),
    ) -> Hit:
        """`seen` holds, by path or variable, what was found there; `command` fixes it."""
        evidence: Evidence = {name: " ".join(str(value).split()) for name, value in seen.items()}
        safety: Safety = "safe" if removes else "shown"
        return Hit(says, None, evidence, Fix(command, (), safety, removes), sure)

    # Packages

    @property
    def torch(self) -> Torch | None:
        """PyTorch as programs would import it."""
        return torch(self, self.path)

    @property
    def packages(self) -> dict[str, Package]:
        """By name; of several of one name the one that is imported."""
        return {each.name: each for each in reversed(list(packages(self, self.path)))}

    def copies_of(self, name: str) -> list[Package]:
        """All installations of a package, the one that is imported first."""
        return [each for each in packages(self, self.path) if each.name == name]

    def pins_of(self, package: Package) -> dict[str, str]:
        """The exact versions that a package asks for of others: name -> version."""
        return pins(self, package)

    def files_of(self, package: Package) -> dict[str, int]:
        """The shared libraries that a package has installed, below its folder, and their bytes."""
        rows = (line.rsplit(",", 2) for line in self.read(f"{package.info}/RECORD").splitlines())
        libraries = (row for row in rows if len(row) == 3 and ".so" in row[0])
        return {row[0]: int(row[2]) for row in libraries if row[2].isdecimal()}

    @property
    def cuda_packages(self) -> list[tuple[str, Package]]:
        """The libraries of CUDA that packages bring: "libcudnn" and the package that has it."""
        there = ((WHEEL.sub("", name), each) for name, each in self.packages.items())
        return [(BROUGHT[name], each) for name, each in there if name in BROUGHT]

    # The graphics driver

    @property
    def driver(self) -> str:
        """The version of NVIDIA's kernel module, "535.113.01"; nothing where none is loaded."""
        return nvidia.driver(self)

    @property
    def cards(self) -> list[Card]:
        return nvidia.cards(self)

    @property
    def cards_named(self) -> list[int]:
        """The numbers that CUDA reads in `CUDA_VISIBLE_DEVICES`."""
        return nvidia.named(self.variable("CUDA_VISIBLE_DEVICES"))

    @property
    def cards_on_the_bus(self) -> list[str]:
        return nvidia.on_the_bus(self)

    @property
    def toolkit(self) -> Toolkit | None:
        """The CUDA that extensions are built with."""
        return nvidia.toolkit(self)

    def cards_answered(self) -> list[dict[str, str]]:
        """What `nvidia-smi` tells of each card: index, name, compute_cap, memory.total, memory.free
        (MiB), driver_version."""
        rows = [line.split(", ") for line in self.answer("nvidia-smi").splitlines()]
        names = CARDS.split(",")
        return [dict(zip(names, row, strict=True)) for row in rows if len(row) == len(names)]

    def program(self, name: str) -> str:
        """The file behind a command, its links followed; nothing where it is not on the path."""
        folders = [f.rstrip("/") for f in self.variable("PATH").split(":") if f.startswith("/")]
        files = [name] if name.startswith("/") else [f"{folder}/{name}" for folder in folders]
        return next((self.real(file) for file in files if self.exists(file)), "")

    # Libraries

    def libraries(self, stem: str) -> list[Library]:
        """Copies of a shared library on the loader's way, the one that it finds in front."""
        return libraries(self, stem)

    def libraries_in(self, folder: str, stem: str) -> list[Library]:
        return list(libraries_in(self, folder, stem))

    def libraries_of_conda(self, stem: str) -> list[Library]:
        """Copies in the folder of a conda environment, where its Python looks before the system does."""
        prefixes = dict.fromkeys(folder.partition("/lib/python")[0] for folder in self.path)
        homes = {prefix: f"{prefix}/conda-meta" for prefix in prefixes}
        return [
            each
            for prefix, home in homes.items()
            if self.folder(home)
            for each in libraries_in(self, f"{prefix}/lib", stem, home)
        ]

    # Processes and limits

    @property
    def processes(self) -> list[Process]:
        return list(processes(self))

    def holders(self, path: str) -> list[int] | None:
        """Pids of the processes that hold a file open; None where that cannot be determined."""
        return holders(self, path)

    def holders_below(self, start: str) -> list[tuple[int, str]]:
        return holders_below(self, start)

    def extension_files(self, name: str) -> list[str]:
        """Files of this name, or that end in this ".so", of the extensions that were built here."""
        given = self.variable("TORCH_EXTENSIONS_DIR")
        cache = self.variable("XDG_CACHE_HOME") or f"{self.home}/.cache"
        homes = [given] if given else [f"{cache}/torch_extensions"]
        if not given:  # one folder for each Python and CUDA
            homes = [f"{homes[0]}/{each}" for each in self.names(homes[0])]
        folders = (f"{home}/{each}" for home in homes for each in self.names(home))
        files = (f"{folder}/{each}" for folder in folders for each in self.names(folder))
        end = name if name.startswith(".") else f"/{name}"
        return [file for file in files if file.endswith(end) and not self.folder(file)]

    def age(self, path: str) -> str:
        """How long ago a file was last written to."""
        status = self.status(path)
        hours = (self.now - status.st_mtime) / 3600 if status else 0.0
        return f"{hours / 24:.0f} days old" if hours > 48 else f"{hours:.1f} hours old"

    @property
    def left_in_shared_memory(self) -> list[tuple[str, int]]:
        """Files of PyTorch in `/dev/shm` whose process has ended, `torch_4161_...`, and their bytes."""
        alive = set(self.names("/proc"))
        owners = ((name, name.split("_")) for name in self.names("/dev/shm"))
        left = [n for n, p in owners if len(p) > 2 and p[0] == "torch" and p[1] not in alive]
        found = ((f"/dev/shm/{name}", self.status(f"/dev/shm/{name}")) for name in left)
        return [(path, status.st_size) for path, status in found if status and "self" in alive]

    def limit(self, name: str) -> int:
        """The soft limit of open files ("nofile") or of locked bytes ("memlock"); -1 for none."""
        self.looked[ULIMITS[name]] = None
        return self.limits.get(name, -1)

    @property
    def memory_limit(self) -> tuple[int, str] | None:
        """Bytes that the control group grants, and the file that tells it."""
        return cgroups.memory(self)

    @property
    def cpus_allowed(self) -> tuple[int, str] | None:
        """Processors that this process may run on, by a job's `cpuset` or `taskset`, and the file that tells
        it."""
        return cgroups.allowed(self)

    @property
    def cpu_quota(self) -> tuple[float, str] | None:
        """Processors that the control group grants, and the file that tells it."""
        return cgroups.processors(self)

    @property
    def killed_for_memory(self) -> tuple[int, str] | None:
        return cgroups.killed(self)

    @property
    def in_container(self) -> bool:
        """Processes and files of others may be hidden from us."""
        marks = ("/.dockerenv", "/run/.containerenv", "/run/secrets/kubernetes.io")
        kubernetes = self.variable("KUBERNETES_SERVICE_HOST") or self.variable("container")
        return bool(kubernetes) or any(self.exists(mark) for mark in marks)

    # File systems

    def mount_of(self, path: str) -> tuple[str, str, tuple[str, ...]]:
        """Mount point, kind and options of the file system that a path lies on."""
        found = ("", "", ())
        best: tuple[str, str, tuple[str, ...]] = found
        for _, point, kind, options, *_ in (w for w in self.lines("/proc/mounts") if len(w) > 3):
            below = path == point or path.startswith(point.rstrip("/") + "/")
            if below and len(point) >= len(best[0]):
                best = (point, kind, tuple(options.split(",")))
        return best

    def seen_by_others(self, path: str) -> bool:
        """Whether processes that we cannot see may use a file: on a network, or mounted into a
        container."""
        point, kind, _ = self.mount_of(path)
        return kind.startswith(REMOTE) or not point or (self.in_container and point != "/")

    @property
    def caches(self) -> dict[str, str]:
        """Folders that are written to while programs run, by the variable that moves each."""
        usual = {"TMPDIR": "/tmp", "XDG_CACHE_HOME": f"{self.home}/.cache"}
        moved = ("HF_HOME", "TORCH_HOME", "TRITON_CACHE_DIR", "TORCH_EXTENSIONS_DIR")
        folders = {name: self.variable(name) or usual.get(name, "") for name in (*usual, *moved)}
        return {name: folder for name, folder in folders.items() if folder}

    # Children

    def answer(self, question: str) -> str:
        """What a child tells; nothing, and a note in `unread`, where it does not."""
        self.looked[question] = None
        if question not in self._texts:
            try:
                self._texts[question] = self.asked(question)
            except Silent as silent:
                self._texts[question] = None
                if str(silent):
                    self.unread[question] = str(silent)
        return self._texts[question] or ""


def limits() -> dict[str, int]:
    try:
        import resource
    except ImportError:  # Windows
        return {}
    names = {"nofile": resource.RLIMIT_NOFILE, "memlock": resource.RLIMIT_MEMLOCK}
    soft = {name: resource.getrlimit(number)[0] for name, number in names.items()}
    return {name: -1 if n == resource.RLIM_INFINITY else n for name, n in soft.items()}
