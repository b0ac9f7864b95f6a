"""A part of the files, for one of several jobs in CI: which files it is, and what its output says of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from keng._util.version import VERSION
from keng.cli.options import Options

T = TypeVar("T")


class Shard(NamedTuple):
    """The `number`-th of `of` parts, from 1."""

    number: int
    of: int

    def part(self, every: Sequence[T]) -> Sequence[T]:
        """Parts follow one another, so that outputs in order are the output of all files."""
        begin, end = (len(every) * n // self.of for n in (self.number - 1, self.number))
        return every[begin:end]

    def record(self, command: str) -> dict[str, Any]:
        return {"command": command, "index": self.number, "of": self.of, "version": VERSION}


def shard(text: str) -> Shard:
    """ "2/8". Raises ValueError."""
    found = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if found is None or int(found[1]) > int(found[2]):
        raise ValueError
    return Shard(int(found[1]), int(found[2]))


def add_shard(options: Options) -> None:
    what = "read only part I of N parts of the files; `keng merge` joins the outputs"
    options.add_argument("--shard", type=shard, metavar="I/N", help=what)
