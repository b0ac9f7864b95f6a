"""The NVIDIA driver and its cards, as the kernel tells them in `/proc/driver/nvidia`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from keng.env.files import Files

VERSION_FILE = "/proc/driver/nvidia/version"
VERSION = re.compile(r"Kernel Module.*?\s(\d{3,4}\.\d{1,4}(?:\.\d{1,4})?)\b")
PCI = "/sys/bus/pci/devices"
NVIDIA = "0x10de"
DISPLAYS = ("0x0300", "0x0302")
"""Classes of PCI devices: a card with a screen, and one without."""
DATA_CENTRE = re.compile(
    r"\b(?:Tesla|[AHBVLT]\d{1,3}[A-Z]?|[GA]H\d00|GB\d00|PG\d+|RTX PRO \d+ Blackwell Server)\b"
)
CONSUMER = re.compile(r"GeForce|TITAN|Quadro|\bRTX\b|\bGTX\b|\bMX\d")


class Card(NamedTuple):
    """A card that this process may use, in the order of the PCI bus; `minor` is the number of its
    device file, `name` its own ("GPU-8a3f...")."""

    model: str
    minor: int
    file: str
    name: str = ""

    @property
    def for_data_centres(self) -> bool | None:
        """None where the name does not tell."""
        if CONSUMER.search(self.model) and "Server" not in self.model:
            return False
        return True if DATA_CENTRE.search(self.model) else None


class Toolkit(NamedTuple):
    """A CUDA with its compiler, the one that extensions are built with; `file` tells its version."""

    folder: str
    version: str
    file: str

    @property
    def host_config(self) -> str:
        """The header that rejects compilers which it does not know."""
        return f"{self.folder}/include/crt/host_config.h"


TEGRA = "/etc/nv_tegra_release"
"""A Jetson's driver belongs to its system: what is said of versions and device files of others does not
hold for it."""


def driver(files: Files) -> str:
    """The version of the kernel module that is loaded, "535.113.01"; nothing on a Jetson, as without one."""
    found = VERSION.search(files.read(VERSION_FILE))
    return found[1] if found and not files.exists(TEGRA) else ""


def runs_on(capability: str, built: list[str]) -> bool:
    """Whether code for one of these architectures ("sm_80", or PTX as "compute_90") runs on a card of
    this compute capability ("8.9"): machine code runs within its major version, PTX on all newer."""
    card = re.fullmatch(r"(\d{1,2})\.(\d)", capability)
    if card is None:
        return True
    own = (int(card[1]), int(card[2]))
    for kind, major, minor in re.findall(r"\b(sm|compute)_(\d{1,2})(\d)", " ".join(built)):
        code = (int(major), int(minor))
        if code <= own and (kind == "compute" or code[0] == own[0]):
            return True
    return False


def cards(files: Files) -> list[Card]:
    """Those that the driver tells and whose device file is there: a container is given some."""
    return [card for card in _told(files) if files.exists(f"/dev/nvidia{card.minor}")]


def _told(files: Files) -> Iterator[Card]:
    folder = "/proc/driver/nvidia/gpus"
    for place in files.names(folder):
        file = f"{folder}/{place}/information"
        fields = dict(re.findall(r"^([\w ]+):[ \t]*(.*?)\s*$", files.read(file), re.M))
        minor = fields.get("Device Minor", "")
        if minor.isdecimal() and len(minor) < 4:
            yield Card(fields.get("Model", ""), int(minor), file, fields.get("GPU UUID", ""))


def named(value: str) -> list[int]:
    """ "0, 2gb,x,1" -> [0, 2]: of each word the number that it begins with, up to the first without."""
    numbers = []
    for word in value.split(","):
        found = re.match(r" *\+?(\d{1,9})", word)
        if found is None:
            break
        numbers.append(int(found[1]))
    return numbers


def on_the_bus(files: Files) -> list[str]:
    """Folders of NVIDIA's cards on the PCI bus, with a driver or without; one that is handed to a
    virtual machine is not ours."""
    return [
        f"{PCI}/{place}"
        for place in files.names(PCI)
        if files.read(f"{PCI}/{place}/vendor").strip() == NVIDIA
        and files.read(f"{PCI}/{place}/class").startswith(DISPLAYS)
        and not files.link(f"{PCI}/{place}/driver").endswith("vfio-pci")
    ]


def toolkit(files: Files) -> Toolkit | None:
    """Looked for as torch.utils.cpp_extension does: variables, `nvcc` on the path, the usual place."""
    on_path = [f for f in files.variable("PATH").split(":") if f.startswith("/")]
    homes = [files.variable("CUDA_HOME") or files.variable("CUDA_PATH")]
    homes += [folder.removesuffix("/bin") for folder in on_path if files.exists(f"{folder}/nvcc")]
    home = next((home for home in homes if home), "/usr/local/cuda").rstrip("/")
    if not files.exists(f"{home}/bin/nvcc"):
        return None
    for name, pattern in (
        ("version.json", r'"cuda"\s*:\s*\{[^}]*"version"\s*:\s*"([\d.]+)"'),
        ("version.txt", r"CUDA Version ([\d.]+)"),
    ):
        if found := re.search(pattern, files.read(f"{home}/{name}")):
            return Toolkit(home, found[1], f"{home}/{name}")
    return None
