"""Source code: the loss counts labels that only fill up a batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.loss._shared import OF_SCORES, is_label
from keng.rules import finds
from keng.source import Code, Kind

LEAVES_OUT = {"ignore_index", "weight", "reduction", "reduce", None}
"""Arguments of a loss by which padding may count for nothing."""
PAD_SEQUENCE = "torch.nn.utils.rnn.pad_sequence"


@finds(fixes=True)
def padding_counted(code: Code) -> Hits:
    for call, made, collate, value in _padded_labels(code):
        says = say("fills-labels-up-loss", collate=collate, value=value)
        yield code.hit(
            call,
            says,
            code.edits.add_argument(made, f"ignore_index={value}", say("leave-padding-out")),
        )


@finds(mentions=["ignore_index"])
def mean_over_ignored(code: Code) -> Hits:
    """`cross_entropy(..., ignore_index=i, reduction="none").mean()`: zeros of ignored targets count."""
    for call in code.graph.loss_calls(*OF_SCORES):
        made = code.types.value_of(call.func).call or call
        options = {k.arg: k.value for each in (call, made) for k in each.keywords}
        reduced = options.get("reduction")
        if "ignore_index" in options and code.flow.text_constant(reduced) == "none":
            mean = _mean_of(code, call)
            if mean is not None:
                yield code.hit(mean, say("mean-over-ignored"))


def _mean_of(code: Code, call: ast.Call) -> ast.Call | None:
    """The plain mean that a loss of each target is reduced by, where nothing else reads it."""
    above = code.tree.parent[call]
    if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
        reads = code.flow.reads_of(above.targets[0])
        above = code.tree.parent[reads[0]] if len(reads) == 1 else above
    outer = code.tree.parent[above]
    plain = isinstance(outer, ast.Call) and not outer.args and not outer.keywords
    mean = isinstance(above, ast.Attribute) and above.attr == "mean" and plain
    return outer if mean and isinstance(outer, ast.Call) else None


def _padded_labels(code: Code) -> Iterator[tuple[ast.Call, ast.Call, str, str]]:
    """Losses that count labels which a collate function has filled up: the call, the call that says what
    is left out, that function, and what it fills up with."""
    if not code.trees.files.contains(b"pad_sequence", code.path):
        return
    for call in code.graph.loss_calls(*OF_SCORES):
        target, made = (
            code.calls.argument(call, "target", 1),
            code.types.value_of(call.func).call or call,
        )
        if target is None or not is_label(code, target) or made not in code.tree.parent:
            continue
        if {keyword.arg for keyword in made.keywords} & LEAVES_OUT:
            continue
        loops = [above for above in code.tree.ancestors(call) if isinstance(above, ast.For)]
        padded = [both for loop in loops if (both := _labels_padded(code, loop.iter))]
        if padded:
            yield call, made, *padded[0]


def _labels_padded(code: Code, through: ast.expr) -> tuple[str, str] | None:
    """The collate function of a loader, where it fills up the second of two parts of a batch, and with
    what."""
    while isinstance(through, ast.Call) and code.types.kind_of(through) is not Kind.LOADER:
        if not through.args:
            return None
        through = through.args[0]
    made = code.types.value_of(through).call
    given = code.calls.argument(made, "collate_fn", 6) if made in code.tree.parent else None
    function = code.types.definition(given) if given is not None else None
    if function is None or isinstance(function.node, ast.ClassDef):
        return None
    filled = {
        _filled_up(code.at(function.tree), each) for each in function.tree.returns(function.node)
    }
    with_ = filled.pop() if len(filled) == 1 else ""
    return (function.name, with_) if with_ else None


def _filled_up(code: Code, batch: ast.expr) -> str:
    """What the labels of a batch, a pair, are filled up with by `pad_sequence`, as text; -100 is left
    out by every loss."""
    labels = batch.elts[1] if isinstance(batch, ast.Tuple) and len(batch.elts) == 2 else None
    made = code.flow.assigned_value(labels) or labels
    if not isinstance(made, ast.Call) or code.names.resolve(made.func) != PAD_SEQUENCE:
        return ""
    value = code.calls.argument(made, "padding_value", 2)
    text = "0" if value is None else code.text_of(code.flow.assigned_value(value) or value)
    return "" if text.startswith("-") else text
