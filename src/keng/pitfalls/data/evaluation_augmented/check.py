"""Source code: images are changed at random where a model is evaluated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from keng.model import Hits, say
from keng.pitfalls.data._shared import COMPOSES, PARTS
from keng.rules import finds
from keng.source import Code

RANDOM = re.compile(
    r"torchvision\.transforms\.(?:v2\.)?"
    r"(?P<name>Random\w+|ColorJitter|AutoAugment|AugMix|TrivialAugmentWide|ElasticTransform)$"
)
EVALUATION = frozenset("val valid validation eval test testing".split())
NOT_EVALUATION = frozenset(["train", "training", "aug", "augmented", "tta"])
MANY_VIEWS = re.compile(
    rb"\btta\b|\btest[-_ ]?time|n_views|two_?crop|multi_?crop|contrastive|simclr|byol|moco",
    re.IGNORECASE,
)
"""Words of programs that look at several random versions of one picture on purpose."""


@finds(mentions=["torchvision"])
def changed_at_random(code: Code) -> Hits:
    found = list(_augmented_evaluations(code))
    for place, name in [] if found and MANY_VIEWS.search(code.tree.data) else found:
        says = say("images-evaluate-on-changed", name=name)
        yield code.hit(place, says)


def _augmented_evaluations(code: Code) -> Iterator[tuple[ast.expr, str]]:
    """Transforms that change images at random, given to a data set to evaluate on, or to one of which a
    part is for that: the place, and the short name of the one that does."""
    for call, given in _transforms_given(code):
        name = _random_in(code, given)
        if name and (_is_to_evaluate(code, call) or _split_to_evaluate(code, call)):
            yield given, name
    for table in code.of(ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in table.keys]
        for key, value in zip(keys, table.values, strict=True):
            if key in EVALUATION and "train" in keys and (name := _random_in(code, value)):
                yield value, name


def _transforms_given(code: Code) -> Iterator[tuple[ast.Call, ast.expr]]:
    for keyword in code.of(ast.keyword):
        call = code.tree.parent[keyword]
        if keyword.arg == "transform" and isinstance(call, ast.Call):
            yield call, keyword.value
    for call in code.calls.calls_to("torchvision.datasets.ImageFolder"):
        yield from ((call, given) for given in call.args[1:2])


def _random_in(code: Code, transform: ast.expr) -> str:
    """The first of the transforms of a Compose that changes its images at random."""
    made = code.flow.assigned_value(transform) if isinstance(transform, ast.Name) else transform
    if not isinstance(made, ast.Call):
        return ""
    if found := RANDOM.match(code.names.resolve(made.func)):
        return found["name"]
    parts = made.args[0] if code.names.resolve(made.func) in COMPOSES and made.args else None
    names = map(partial(_random_in, code), getattr(parts, "elts", ()))
    return next(filter(None, names), "")


def _is_to_evaluate(code: Code, call: ast.Call) -> bool:
    """`train=False`, `split="val"`, or a first argument that is named so."""
    for keyword in call.keywords:
        if keyword.arg in ("split", "image_set", "mode") and isinstance(
            keyword.value, ast.Constant
        ):
            return keyword.value.value in EVALUATION
        if keyword.arg == "train":
            return code.flow.is_constant(keyword.value, False)
    first = code.calls.argument(call, "root", 0)
    words = {w for n in ast.walk(first) for w in _words(n)} if first is not None else set()
    return bool(words & EVALUATION) and not words & NOT_EVALUATION


def _split_to_evaluate(code: Code, call: ast.Call) -> bool:
    """Whether a data set is split, and a part is named for evaluation and stays what it is."""
    made = code.tree.parent[call]
    if not isinstance(made, ast.Assign) or not isinstance(made.targets[0], ast.Name):
        return False
    whole = made.targets[0]
    return any(
        split.args
        and isinstance(split.args[0], ast.Name)
        and [b.node for b in code.flow.reaching_definitions(split.args[0])] == [whole]
        and _parts_to_evaluate(code, code.tree.parent[split])
        for split in code.calls.calls_to(*PARTS)
    ) and not code.tree.attributes_by_name.get("dataset")


def _parts_to_evaluate(code: Code, assigned: ast.AST) -> bool:
    target = assigned.targets[0] if isinstance(assigned, ast.Assign) else None
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return any(
        isinstance(part, ast.Name)
        and _words(part) & EVALUATION
        and len(code.names.bindings(part)) == 1
        for part in parts
    )


def _words(node: ast.AST) -> set[str]:
    """The words of a name, or of a path as text."""
    match node:
        case ast.Name(id=text) | ast.Attribute(attr=text) | ast.Constant(value=str(text)):
            return set(re.split(r"[^a-z0-9]+", text.lower()))
    return set()
