"""What is installed, read from the names of the folders on `sys.path`: `torch-2.13.0.dist-info`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from keng.env.files import Files

INFO = re.compile(r"(?P<name>.+?)-(?P<version>\d[^-]*)(?:-py\d.*)?\.(?:dist|egg)-info")
ASKS = re.compile(
    r"^Requires-Dist: *(?P<name>[A-Za-z0-9._-]+) *\(?==(?P<version>[^\s;,)]+)\)?(?P<marker>.*)$",
    re.M,
)
ASSIGNED = r"^{name}\b[^=\n]*= *['\"](?P<value>[^'\"\n]+)['\"]"


class Package(NamedTuple):
    """An installed distribution; `folder` is the entry of `sys.path`, `info` its metadata's folder."""

    name: str
    version: str
    folder: str
    info: str


class Torch(NamedTuple):
    """PyTorch as Python would import it. `cuda` and `hip` are the versions it was built for, empty
    where it was not."""

    folder: str
    version: str
    cuda: str
    hip: str

    @property
    def file(self) -> str:
        return f"{self.folder}/torch/version.py"


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def numbers(version: str) -> tuple[int, ...]:
    """ "12.4.1+cu" -> (12, 4, 1): the numbers that a version begins with."""
    found = re.match(r"\d{1,6}(?:\.\d{1,6})*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def parts(version: str) -> tuple[str, str]:
    """ "2.9.0+cu128" -> ("2.9.0", "cu128"); a build that is named otherwise is one's own."""
    release, _, build = version.partition("+")
    return release, build if re.match(r"cpu$|cu\d+$|rocm\d|xpu$", build) else ""


def packages(files: Files, path: tuple[str, ...]) -> Iterator[Package]:
    """Those of the first entry of the path come first, as they do when imported."""
    for folder in dict.fromkeys(path):
        for entry in files.names(folder):
            if entry.endswith("-info") and (found := INFO.fullmatch(entry)):
                name = normal(found["name"])
                yield Package(name, found["version"], folder, f"{folder}/{entry}")


def pins(files: Files, package: Package) -> dict[str, str]:
    """The exact versions that a package asks for of others, here: name -> version."""
    asked = {}
    for found in ASKS.finditer(files.read(f"{package.info}/METADATA")):
        marker = found["marker"]
        if "extra" not in marker and ("platform_system" not in marker or "Linux" in marker):
            asked[normal(found["name"])] = found["version"]
    return asked


def torch(files: Files, path: tuple[str, ...]) -> Torch | None:
    for folder in path:
        if text := files.read(f"{folder}/torch/version.py"):
            named = (_assigned(text, name) for name in ("__version__", "cuda", "hip"))
            return Torch(folder, *named)
    return None


def _assigned(text: str, name: str) -> str:
    found = re.search(ASSIGNED.format(name=name), text, re.M)
    return found["value"] if found else ""
