"""Error messages: a view is changed in place where autograd cannot follow."""

from __future__ import annotations

import ast

from keng.explain.advice.edits import constructor
from keng.explain.failure import Failure
from keng.explain.inspecting.modules import modules_in
from keng.explain.live import LiveError
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code


@explains("one-of-several")
def one_of_several(failure: Failure) -> Hits:
    node = failure.groups["node"].removesuffix("0").removesuffix("Backward")
    if node == "BackwardHookFunction":
        yield failure.hit(*_hooked_and_changed(failure))
    elif "custom Function" in failure.message:
        yield failure.hit(say("custom-function-view", function=node))
    else:
        yield failure.hit(say("one-several-views-changed", operation=node.lower()))


@explains("without-history")
def without_history(failure: Failure) -> Hits:
    no_grad = failure.groups["mode"] == "no_grad"
    yield failure.hit(say("view-under-no-grad") if no_grad else say("view-under-inference-mode"))


def _hooked_and_changed(failure: Failure) -> tuple[Message, Fix | None]:
    """Of what a layer with a full backward hook gives, or takes, and what changes that in place."""
    found, layer = failure.live.ask(_hooked_modules) or (), failure.live.layer
    hooked = f"`{found[0]}`" if len(found) == 1 else say("a-layer")
    inside = failure.raised_in.endswith("torch/nn/functional.py")
    if inside and layer is not None and layer.settings.get("inplace") is True:
        fix: Fix | None = failure.ask_line(_kept_whole, layer.path, layer.kind)
        path, kind = layer.path, layer.kind
        return say("hooked-changed-by-layer", hooked=hooked, layer=path, kind=kind), fix
    return say("hooked-changed", hooked=hooked), failure.ask_line(_kept_whole, "", "")


def _kept_whole(code: Code, line: int, path: str, kind: str) -> Fix | None:
    """A fix by which a layer, named by its path, or what a line calls no longer works in place."""
    made = constructor(code, path, line) if path else None
    ours = (
        made in code.tree.parent and code.names.resolve(made.func) == f"torch.nn.{kind}"
        if made
        else False
    )
    calls = [made] if ours and made else [] if path else code.tree.on_line(line, ast.Call)
    given = [(k.arg, k.value) for c in calls for k in c.keywords]
    given += [("inplace", each) for each in (made.args if ours and made else ())]
    trues = [v for name, v in given if name == "inplace" and code.flow.is_constant(v, True)]
    if len(trues) != 1:
        return None
    return Fix(say("make-new-tensor-there"), (code.edits.replace(trues[0], "False"),), "shown")


def _hooked_modules(error: LiveError) -> tuple[str, ...]:
    """The modules that have full backward hooks, by their paths from a variable of the user's."""
    found: dict[int, str] = {}
    for path, part in modules_in(error.frames, error.torch.nn.Module):
        held = vars(part)
        full = held.get("_is_full_backward_hook") and held.get("_backward_hooks")
        if full or held.get("_backward_pre_hooks"):
            found.setdefault(id(part), path)
    return tuple(found.values())
