"""Source code: a loss gets the removed arguments `size_average` or `reduce`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.loops import LOSS_NAMES
from keng.tables.torch_names import LOSSES

MAY_BE_LOSSES = (*LOSS_NAMES, "partial")


@finds(fixes=True, mentions=["size_average", "reduce"])
def old_arguments(code: Code) -> Hits:
    if code.tree.keywords_by_name.keys().isdisjoint(("size_average", "reduce")):
        return
    for call in _torch_losses(code):
        old = [k for k in call.keywords if k.arg in ("size_average", "reduce")]
        if not old or any(code.flow.is_constant(k.value, None) for k in old):
            continue
        said = {k.arg: getattr(k.value, "value", None) for k in old}
        known = all(isinstance(value, bool) for value in said.values())
        mean = "mean" if said.get("size_average", True) else "sum"
        reduction = "none" if said.get("reduce") is False else mean
        fix = _swap_arguments(code, old, f'reduction="{reduction}"', say("use-reduction"))
        also = any(k.arg == "reduction" for k in call.keywords)
        names = [name for name in said if name]
        both = say("both-replaced", first=names[0], second=names[-1])
        says = both if len(names) > 1 else say("replaced", name=names[0])
        yield code.hit(call, says, fix=fix if known and not also else None)


@finds(fixes=True, mentions=["elementwise_mean"])
def old_name_of_the_mean(code: Code) -> Hits:
    for call in _torch_losses(code):
        for keyword in call.keywords:
            if keyword.arg == "reduction" and code.tree.is_text(keyword.value, "elementwise_mean"):
                fix = Fix(say("write-mean"), (code.edits.replace(keyword.value, '"mean"'),), "safe")
                yield code.hit(call, say("elementwise-mean-old-name"), fix=fix)


def _torch_losses(code: Code) -> Iterator[ast.Call]:
    """The calls of torch's loss functions, and of the constructors of its loss modules; of
    functools.partial on one of them too."""
    for call in code.calls.calls_with(lambda last: last in LOSSES or last.endswith(MAY_BE_LOSSES)):
        dotted = code.names.resolve(call.func)
        if dotted == "functools.partial" and call.args:
            dotted = code.names.resolve(call.args[0])
        home, _, name = dotted.rpartition(".")
        function = home == "torch.nn.functional" and name.endswith(LOSS_NAMES)
        if function or (home == "torch.nn" and name in LOSSES):
            yield call


def _swap_arguments(code: Code, old: list[ast.keyword], text: str, title: str) -> Fix:
    """A fix that puts one argument in the place of several."""
    edits = [code.edits.replace(old[0], text)]
    for keyword in old[1:]:
        start, end = code.tree.bounds(keyword)
        edits.append(Edit(code.tree.data.rindex(b",", 0, start), end, ""))
    return Fix(title, tuple(edits), "safe")
