"""Source code: an open file is shared by the workers of a DataLoader."""

from __future__ import annotations

from keng.model import Hits, say
from keng.pitfalls.data._shared import forked_loaders, kept_for_samples, minds_workers
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
    for owner in code.loaders.datasets():
        for name, call in kept_for_samples(code, owner):
            if code.names.resolve(call.func) not in OPENING or minds_workers(code, owner, name):
                continue
            if forked_loaders(code, owner):
                says = say("opened-before-workers", name=name)
                yield code.hit(call, says)
