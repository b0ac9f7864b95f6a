"""Class labels against the classes of a model: of the calls of a loss, or of one that has raised."""

from __future__ import annotations

from typing import NamedTuple

IGNORED = 255
"""The label of pixels without a class in many segmentation data sets."""


class Labels(NamedTuple):
    """Class labels against what the input has room for, over all calls of this loss so far. Labels
    equal to `ignore_index` are left out. `first` is the place of the first that does not fit, where that
    was looked for."""

    lowest: int
    highest: int
    classes: int
    first: tuple[int, ...] = ()

    @property
    def first_at(self) -> str:
        """ " (the first that does not fit at [7, 11])"."""
        at = ", ".join(map(str, self.first))
        return f" (the first that does not fit at [{at}])" if at else ""

    @property
    def verdict(self) -> str:
        """What is wrong with the labels, and which of the two mends it; nothing where they fit."""
        head = f"the model has {self.classes} outputs, for 0 to {self.classes - 1}"
        seen = f"labels run from {self.lowest} to {self.highest}"
        if self.lowest >= 0 and self.highest < self.classes:
            return ""
        if self.lowest < 0:
            marks = f"ignore_index={self.lowest} where that marks what is left out"
            known = self.highest < self.classes
            return f"{seen}, but {head}: {marks if known else 'a negative label is no class'}"
        if self.classes == self.highest == 1:
            one = "BCEWithLogitsLoss and labels.float() for one"
            return f"{seen}, but the model has one output: two for cross_entropy, or {one}"
        if self.lowest >= 1 and self.highest == self.classes:
            return f"{seen}, but {head}: subtract 1 from the labels"
        if self.highest == IGNORED:
            marks = f"ignore_index={IGNORED} where that marks what is left out"
            binary = ", or (mask > 0).long() for a mask of 0 and 255" if self.classes == 2 else ""
            return f"{seen}, but {head}: {marks}{binary}"
        return f"{seen}, but {head}: {self.highest + 1} outputs are needed, or other labels"
