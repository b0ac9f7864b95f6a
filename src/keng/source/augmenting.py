"""A layer of Code: images that are changed at random, in data that a model is evaluated on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.choices import Choices
from keng.source.feeding import PARTS
from keng.source.images import COMPOSES

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


class Augmenting(Choices):
    def augmented_evaluations(self) -> Iterator[tuple[ast.expr, str]]:
        """Transforms that change images at random, given to a data set to evaluate on, or to one of which a
        part is for that: the place, and the short name of the one that does."""
        if b"torchvision" not in self.data or MANY_VIEWS.search(self.data):
            return
        for call, given in self._transforms_given():
            name = self._random_in(given)
            if name and (self._is_to_evaluate(call) or self._split_to_evaluate(call)):
                yield given, name
        for table in self.of(ast.Dict):
            keys = [key.value if isinstance(key, ast.Constant) else None for key in table.keys]
            for key, value in zip(keys, table.values, strict=True):
                if key in EVALUATION and "train" in keys and (name := self._random_in(value)):
                    yield value, name

    def _transforms_given(self) -> Iterator[tuple[ast.Call, ast.expr]]:
        for keyword in self.of(ast.keyword):
            call = self.parent[keyword]
            if keyword.arg == "transform" and isinstance(call, ast.Call):
                yield call, keyword.value
        for call in self.calls_to("torchvision.datasets.ImageFolder"):
            yield from ((call, given) for given in call.args[1:2])

    def _random_in(self, transform: ast.expr) -> str:
        """The first of the transforms of a Compose that changes its images at random."""
        made = self.assigned(transform) if isinstance(transform, ast.Name) else transform
        if not isinstance(made, ast.Call):
            return ""
        if found := RANDOM.match(self.resolve(made.func)):
            return found["name"]
        parts = made.args[0] if self.resolve(made.func) in COMPOSES and made.args else None
        names = map(self._random_in, getattr(parts, "elts", ()))
        return next(filter(None, names), "")

    def _is_to_evaluate(self, call: ast.Call) -> bool:
        """`train=False`, `split="val"`, or a first argument that is named so."""
        for keyword in call.keywords:
            if keyword.arg in ("split", "image_set", "mode") and isinstance(
                keyword.value, ast.Constant
            ):
                return keyword.value.value in EVALUATION
            if keyword.arg == "train":
                return self.me.is_constant(keyword.value, False)
        first = self.argument(call, "root", 0)
        words = {w for n in ast.walk(first) for w in _words(n)} if first is not None else set()
        return bool(words & EVALUATION) and not words & NOT_EVALUATION

    def _split_to_evaluate(self, call: ast.Call) -> bool:
        """Whether a data set is split, and a part is named for evaluation and stays what it is."""
        made = self.parent[call]
        if not isinstance(made, ast.Assign) or not isinstance(made.targets[0], ast.Name):
            return False
        whole = made.targets[0]
        return any(
            split.args
            and isinstance(split.args[0], ast.Name)
            and [b.node for b in self.reaching(split.args[0])] == [whole]
            and self._parts_to_evaluate(self.parent[split])
            for split in self.calls_to(*PARTS)
        ) and not self.attributes_by_name.get("dataset")

    def _parts_to_evaluate(self, assigned: ast.AST) -> bool:
        target = assigned.targets[0] if isinstance(assigned, ast.Assign) else None
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        return any(
            isinstance(part, ast.Name)
            and _words(part) & EVALUATION
            and len(self.bindings(part)) == 1
            for part in parts
        )


def _words(node: ast.AST) -> set[str]:
    """The words of a name, or of a path as text."""
    match node:
        case ast.Name(id=text) | ast.Attribute(attr=text) | ast.Constant(value=str(text)):
            return set(re.split(r"[^a-z0-9]+", text.lower()))
    return set()
