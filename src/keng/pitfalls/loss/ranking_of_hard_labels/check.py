"""Source code: the area under a curve is computed from classes in place of scores."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code

RANKING = [
    f"sklearn.metrics.{name}"
    for name in ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve")
]


@finds
def classes_given(code: Code) -> Hits:
    for call in code.calls_to(*RANKING):
        given = code.argument(call, "y_score", 1)
        if given is not None and code.holds_classes(given):
            name, text = code.written_name(call.func), code.text_of(given)
            yield code.hit(call, f"`{text}` holds classes, and `{name}` ranks by scores")
