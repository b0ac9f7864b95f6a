"""Error messages: a tensor that was computed is deep-copied."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from keng.explain.failure import Failure
from keng.explain.inspecting.modules import attribute_of, members_of, modules_in
from keng.explain.live import Attribute, LiveError
from keng.model import Fix, Hits, Message, Span, say
from keng.rules import explains
from keng.source import Code

LEARNED_FROM = re.compile(
    r"loss|cost|aux|penalty|regul|entropy|\bkl|_kl|logits?|log_?prob", re.IGNORECASE
)
"""Names of what a loss may be computed from."""
NONE = (None, None)
"""No fix, and no other place than the failing line."""


MADE_FROM = ("_v", "_orig")
"""What a parameter is called from which weight_norm, spectral_norm or prune compute another: the ends."""
TABLES = ("_parameters", "_buffers", "_modules")


@explains("a-result-was-kept")
def a_result_was_kept(failure: Failure) -> Hits:
    yield failure.hit(*_copied_with_its_graph(failure))


def _copied_with_its_graph(failure: Failure) -> tuple[Message, Fix | None, Span | None]:
    """Which attribute of a module that is copied holds the result of an operation."""
    kept = failure.live.ask(_uncopyable_attribute)
    there = [o for o in failure.live.operands if not o.is_leaf]
    if kept is None:
        if len(there) == len(failure.live.operands) == 1:
            return say("variable-is-result", name=there[0].name), *NONE
        return say("something-is-result"), *NONE
    if kept.made_from:
        return say("weight-is-computed", path=kept.path, source=kept.made_from), *NONE
    files = {frame.path for frame in failure.frames if frame.user} - {kept.file}
    word, texts = kept.name.encode(), _texts_of(failure, files)
    unsure = kept.several or any(word in text for text in texts)
    fix = NONE if unsure else failure.ask_class(kept, _kept_detached)
    return say("attribute-holds-result", path=kept.path), *fix


def _kept_detached(code: Code, kind: str, name: str) -> tuple[Fix, Span] | None:
    """A fix by which a class keeps a result without its graph, where it puts one tensor there and the
    file reads it nowhere; and its place."""
    named = code.tree.attributes_by_name.get(name, [])
    stores = [n for n in named if isinstance(n.ctx, ast.Store)]
    made = [code.tree.parent[n] for n in stores]
    results = [s for s in made if not isinstance(getattr(s, "value", None), ast.Constant)]
    one = results[0] if len(results) == 1 and len(stores) == len(named) else None
    if not isinstance(one, ast.Assign) or len(one.targets) > 1 or LEARNED_FROM.search(name):
        return None
    target, value = one.targets[0], one.value
    owner = code.classes.self_class(target.value) if isinstance(target, ast.Attribute) else None
    if getattr(owner, "name", "") != kind or isinstance(value, ast.Tuple):
        return None
    edits = (code.edits.append(value, ".detach()"),)
    return Fix(say("keep-without-graph"), edits, "shown"), code.span(one)


def _uncopyable_attribute(error: LiveError) -> Attribute | None:
    """What a module of the user's keeps with its graph, in an attribute or buffer, and cannot be copied."""
    refused = error.frames[-1].f_locals.get("self")
    for path, part in modules_in(reversed(error.frames), error.torch.nn.Module):
        stored = vars(part)
        own = {name: value for name, value in stored.items() if name not in TABLES}
        for attribute, value in {**own, **stored["_buffers"]}.items():
            if value is refused or any(each is refused for each in members_of(value)):
                sources = [f"{attribute}{end}" for end in MADE_FROM]
                made = next((name for name in sources if name in stored["_parameters"]), "")
                kept = attribute_of(f"{path}.{attribute}", part)
                return kept._replace(made_from=made, several=value is not refused)
    return None


def _texts_of(failure: Failure, files: Iterable[str]) -> list[bytes]:
    return (
        [failure.code.trees.files.text(file) for file in files] if failure.code is not None else []
    )
