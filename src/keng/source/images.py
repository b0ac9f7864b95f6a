"""A layer of Code: images on their way into a model, and the order and scale that a normalization is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.byhand import ByHand

COMPOSES = frozenset(f"torchvision.transforms.{v}Compose" for v in ("", "v2."))
NORMALIZES = frozenset(f"torchvision.transforms.{v}Normalize" for v in ("", "v2."))
IMAGENET = [0.485, 0.456, 0.406]
"""The means of red, green and blue in ImageNet."""
SCALES = frozenset({"div", "div_", "mul", "mul_", "normalize", "true_divide", "convertTo"})


class Images(ByHand):
    def normalized(self) -> Iterator[tuple[ast.Call, ast.expr, ast.Call, bool]]:
        """Calls of a Normalize of torchvision, or of a Compose that ends in one: the call, what it is
        given, the Normalize, and whether other transforms stand before it."""
        for call in self.of(ast.Call) if self.calls_named("Normalize") else ():
            if len(call.args) != 1 or not isinstance(call.func, (ast.Name, ast.Attribute)):
                continue
            made = list(self._made_as(call.func))
            steps = [made[0]] if len(made) == 1 and isinstance(made[0], ast.Call) else []
            whole = steps[0] if steps and isinstance(steps[0], ast.Call) else None
            if whole is not None and self.resolve(whole.func) in COMPOSES and whole.args:
                steps = list(getattr(whole.args[0], "elts", []))
            last = steps[-1] if steps else None
            if isinstance(last, ast.Call) and self.resolve(last.func) in NORMALIZES:
                yield call, call.args[0], last, len(steps) > 1

    def for_rgb(self, normalize: ast.Call) -> bool:
        """Whether the means of a Normalize are those of ImageNet, of red, green and blue in this order."""
        mean = self.argument(normalize, "mean", 0)
        if isinstance(mean, ast.Name):
            mean = next(self._made_as(mean), None)
        numbers = [e.value for e in getattr(mean, "elts", []) if isinstance(e, ast.Constant)]
        return numbers == IMAGENET

    def is_divided(self, node: ast.expr, depth: int = 8) -> bool:
        """Whether anything on the way to a value may scale it."""
        if isinstance(node, ast.Name) and depth:
            found = [b.value for b in self.reaching(node)]
            return any(v is not None and self.is_divided(v, depth - 1) for v in found)
        texts = [n for n in ast.walk(node) if isinstance(n, (ast.BinOp, ast.Call))]
        scales = any(isinstance(n, ast.BinOp) for n in texts)
        calls = [n.func for n in texts if isinstance(n, ast.Call)]
        named = {f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "") for f in calls}
        inner = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n is not node]
        return (
            scales
            or bool(named & SCALES)
            or any(self.is_divided(n, depth - 1) for n in inner if depth and self.reaching(n))
        )
