"""Source code: all folds of a cross-validation train one model."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def trained_from_fold_to_fold(code: Code) -> Hits:
    for name, loop in code.folds_of_one_model():
        says = f"`{name.id}` is made before the folds of line {loop.lineno}, and keeps what each has taught it"
        yield code.hit(name, says)
