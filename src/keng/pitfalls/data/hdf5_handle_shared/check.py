"""Source code: an open file is shared by the workers of a DataLoader."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code

OPENING = {
    "builtins.open",
    "h5py.File",
    "sqlite3.connect",
    "tarfile.open",
    "tarfile.TarFile",
    "zipfile.ZipFile",
}


@finds
def opened_before_the_workers(code: Code) -> Hits:
    for owner in code.datasets():
        for name, call in code.kept_for_samples(owner):
            if code.resolve(call.func) not in OPENING or code.minds_workers(owner, name):
                continue
            if code.forked_loaders(owner):
                says = f"`self.{name}` is opened once, before there are workers, and all share it"
                yield code.hit(call, says)
