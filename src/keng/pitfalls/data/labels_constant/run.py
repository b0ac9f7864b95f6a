"""A running program: all labels are of one class, or all of a batch are."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import ConstantLabels, SortedLabels

ENOUGH = 20
"""Labels. Fewer may be of one class by chance: half a million to one, where two are equally frequent."""


@watches("labels.constant")
def one_class(seen: ConstantLabels) -> Hits:
    if seen.classes > 1 and seen.count >= ENOUGH:
        says = f"all {seen.count} labels of a whole pass are {seen.label}"
        yield seen.hit(f"{says}; the model has {seen.classes} classes", labels=seen.count)


@watches("labels.sorted")
def class_after_class(seen: SortedLabels) -> Hits:
    """Who always answers with one class is right once for every class."""
    guessed = 1 / seen.classes
    if seen.rows >= ENOUGH and seen.first < guessed / 2 and seen.later > guessed:
        says = "the rows come sorted by class, and each class is forgotten during the others"
        shares = f"{seen.first:.0%} right when it begins again, {seen.later:.0%} after that"
        yield seen.hit(f"{says}: {shares}", classes=seen.classes, batches=seen.batches)
