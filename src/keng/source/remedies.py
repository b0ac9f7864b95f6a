"""A layer of Code: how what a live exception has named is put right, in the file of its class as well."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Span
from keng.source.mending import Mending

LEARNED_FROM = re.compile(
    r"loss|cost|aux|penalty|regul|entropy|\bkl|_kl|logits?|log_?prob", re.IGNORECASE
)
"""Names of what a loss may be computed from."""

VMAPS = ("torch.func.vmap", "torch.vmap", "functorch.vmap")
OVER_VMAP = {"jacrev", "jacfwd", "hessian", "chunk_vmap"}
"""Functions that go through a vmap of their own."""


class Remedies(Mending):
    def method_at(self, kind: str, line: int) -> ast.FunctionDef | None:
        """The method that begins on a line, of the one class of this name in the file."""
        owners = [c for c in self.of(ast.ClassDef) if c.name == kind]
        methods = [m for m in owners[0].body if isinstance(m, ast.FunctionDef)] if owners else []
        first = [min([m.lineno, *(d.lineno for d in m.decorator_list)]) for m in methods]
        return methods[first.index(line)] if len(owners) == 1 and line in first else None

    def registered_by_name(self, _: str, name: str) -> tuple[Fix, Span] | None:
        """A fix that makes the one list of layers of this name one that registers them, and its place."""
        fix = self.seen_as_layers(name)
        found = [value for own, value in self.containers_of_layers() if own == name]
        return (fix, self.span(found[0])) if fix is not None else None

    def kept_detached(self, kind: str, name: str) -> tuple[Fix, Span] | None:
        """A fix by which a class keeps a result without its graph, where it puts one tensor there and the
        file reads it nowhere; and its place."""
        named = self.attributes_by_name.get(name, [])
        stores = [n for n in named if isinstance(n.ctx, ast.Store)]
        made = [self.parent[n] for n in stores]
        results = [s for s in made if not isinstance(getattr(s, "value", None), ast.Constant)]
        one = results[0] if len(results) == 1 and len(stores) == len(named) else None
        if not isinstance(one, ast.Assign) or len(one.targets) > 1 or LEARNED_FROM.search(name):
            return None
        target, value = one.targets[0], one.value
        owner = self.self_class(target.value) if isinstance(target, ast.Attribute) else None
        if getattr(owner, "name", "") != kind or isinstance(value, ast.Tuple):
            return None
        edits = (self.append(value, ".detach()"),)
        return Fix("Keep it without its graph", edits, "shown"), self.span(one)

    def before_numpy(self, line: int, where: Span | None, form: str) -> Fix | None:
        """A fix that writes another form of what `.numpy()` is called on, at a place or once on a line."""
        calls = [c for c in self.on_line(line, ast.Call) if where in (None, self.span(c))]
        asked = [c.func for c in calls if isinstance(c.func, ast.Attribute)]
        here = [function for function in asked if function.attr == "numpy"]
        if len(here) != 1:
            return None
        edit = self.rename_attribute(here[0], f"{form}.numpy")
        return Fix(f"Write `.{form}.numpy()`", (edit,), "shown")

    def masked_by_bools(self, line: int) -> Fix | None:
        """A fix that makes a mask of bools of what the one `masked_fill` or the like on a line is given; `~`
        of numbers flips bits, and is left as it is."""
        calls = [c for c in self.on_line(line, ast.Call) if isinstance(c.func, ast.Attribute)]
        masking = [c for c in calls if getattr(c.func, "attr", "").startswith("masked_")]
        at = 1 if masking and self.resolve(masking[0].func).startswith("torch.") else 0
        mask = self.argument(masking[0], "mask", at) if len(masking) == 1 else None
        if mask is None or isinstance(mask, ast.UnaryOp):
            return None
        return Fix("Write `.bool()`", (self.append(mask, ".bool()"),), "shown")

    def random_in_vmap(self, _: int) -> Fix | None:
        """A fix by which the one vmap of the file draws other random numbers for each sample."""
        made = [c for c in self.of(ast.Call) if self.resolve(c.func) in VMAPS]
        others = {n.id for n in self.of(ast.Name)} | set(self.attributes_by_name)
        if len(made) != 1 or others & OVER_VMAP:
            return None
        if self.argument(made[0], "randomness", 3) is not None:
            return None
        text = 'randomness="different"'
        return self.add_argument(made[0], text, "Draw them for each sample", "shown")
