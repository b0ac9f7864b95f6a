"""Where the loader looks for shared libraries, and what it finds there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from keng.env.files import Files
from keng.env.packages import numbers

USUAL = ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib")
USUAL_ARM = ("/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu")

CONDAS = {
    "libcudnn": "cudnn", "libnccl": "nccl", "libcudart": "cuda-cudart", "libnvrtc": "cuda-nvrtc",
}  # fmt: skip
"""conda's names of packages that are not called as their library."""

VERSIONS = re.compile(r"(\.\d+)*")


class Library(NamedTuple):
    """A copy of a shared library: `stem` "libcudnn", `path` and `version` (9, 23, 0) of the real file,
    and `by` what puts the folder that is `searched` on the loader's way: a variable, a file, conda's list
    of packages, or nothing for the usual ones."""

    stem: str
    path: str
    version: tuple[int, ...]
    by: str
    searched: str

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def off_the_way(self) -> str:
        """A command after which the loader looks there no more."""
        if self.by.startswith("$"):
            return f"unset {self.by[1:]}"
        if self.by.endswith("/conda-meta"):
            return f"conda remove --force {CONDAS.get(self.stem, self.stem.lower())}"
        line = f"sudo sed -i '\\|^{self.searched}|d' {self.by} && sudo ldconfig"
        return line if self.by else f"ls -l {self.path}"

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)


def folders(files: Files) -> Iterator[tuple[str, str]]:
    """Folders that the loader searches, in its order, and what names each. It keeps those of
    `/etc/ld.so.conf` in a cache; `LD_LIBRARY_PATH` comes before."""
    for folder in files.variable("LD_LIBRARY_PATH").split(":"):
        if folder.startswith("/"):
            yield folder.rstrip("/") or "/", "$LD_LIBRARY_PATH"
    confs = [name for name in files.names("/etc/ld.so.conf.d") if name.endswith(".conf")]
    for file in ("/etc/ld.so.conf", *(f"/etc/ld.so.conf.d/{name}" for name in confs)):
        for line in files.read(file).splitlines():
            if line.startswith("/"):
                yield line.strip().rstrip("/"), file
    yield from ((folder, "") for folder in (*USUAL, *USUAL_ARM))


def libraries(files: Files, stem: str) -> list[Library]:
    """Copies of `libcuda.so.*`, the one that the loader finds first in front, each file once."""
    found: dict[str, Library] = {}
    for folder, by in folders(files):
        for each in libraries_in(files, folder, stem, by):
            found.setdefault(each.path, each)
    return list(found.values())


def libraries_in(files: Files, folder: str, stem: str, by: str = "") -> Iterator[Library]:
    beginning = f"{stem}.so"
    for name in files.names(folder):
        if name.startswith(beginning) and VERSIONS.fullmatch(name, len(beginning)):
            real = files.real(f"{folder}/{name}")
            version = numbers(real.rpartition(".so.")[2]) if ".so." in real else ()
            yield Library(stem, real, version, by, folder)
