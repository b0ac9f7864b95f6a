"""Class labels against the classes of a model: of the calls of a loss, or of one that has raised."""

from __future__ import annotations

from typing import NamedTuple


class Labels(NamedTuple):
    """Class labels against what the input has room for, over all calls of this loss so far. Labels
    equal to `ignore_index` are left out. `first` is the place of the first that does not fit, where that
    was looked for."""

    lowest: int
    highest: int
    classes: int
    first: tuple[int, ...] = ()
