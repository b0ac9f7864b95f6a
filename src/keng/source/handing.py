"""A layer of Code: another form of what a failing line, known by its number, hands to what it calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from keng.model import Fix
from keng.source.fitting import Fitting

NAMED = (ast.Name, ast.Attribute, ast.Subscript)
INDEXED = {
    **dict.fromkeys(("take", "put", "put_"), ("index", 1)),
    "take_along_dim": ("indices", 1),
    "embedding": ("input", 0),
    "gather": ("index", 2),
}
"""Functions of torch's -> their indices: the name of the argument, and where it stands."""
BY_INDEX = re.compile(r"(?:index|scatter)_\w*|scatter")
"""The others, which take it as gather does."""

PROBABILITIES = {
    **dict.fromkeys(("Categorical", "OneHotCategorical", "OneHotCategoricalStraightThrough"), 0),
    **dict.fromkeys(("Multinomial", "RelaxedOneHotCategorical"), 1),
}
"""Distributions that take probabilities or logits -> where the probabilities stand."""


class Handing(Fitting):
    def turned(self, line: int, name: str, form: str) -> Fix | None:
        """A fix that writes another form of what a line names once."""
        named = [node for kind in (*NAMED, ast.Constant) for node in self.on_line(line, kind)]
        read = [
            node
            for node in named
            if not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        ]
        written = [node for node in read if self.text_of(node) == name]
        if len(written) != 1:
            return None
        return Fix(f"Write `{form}`", (self.replace(written[0], form),), "shown")

    def indexed_with(self, line: int, names: Sequence[str]) -> tuple[str, Fix] | None:
        """Which of these alone a line has in an index, as one index alone has, and a fix that makes that
        whole numbers."""
        calls = (self._index_of(call) for call in self.on_line(line, ast.Call))
        brackets = (n.slice for n in self.on_line(line, ast.Subscript))
        found: list[tuple[set[str], ast.expr]] = []
        for each in (*calls, *brackets):
            for index in each.elts if isinstance(each, ast.Tuple) else [each]:
                inside = list(ast.walk(index)) if index is not None else []
                told = {self.text_of(n) for n in inside if isinstance(n, NAMED)} & {*names}
                if (
                    told
                    and index is not None
                    and not any(isinstance(n, ast.Compare) for n in inside)
                ):
                    found.append((told, index))
        told, index = found[0] if len(found) == 1 else (set(), None)
        if index is None or len(told) != 1:
            return None
        return told.pop(), Fix("Write `.long()`", (self.append(index, ".long()"),), "shown")

    def _index_of(self, call: ast.Call) -> ast.expr | None:
        """What a call of torch's takes as an index."""
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        keyword, position = INDEXED.get(name, INDEXED["gather"])
        if name not in INDEXED and not BY_INDEX.fullmatch(name):
            return None
        method = not self.resolve(call.func).startswith("torch.")
        return self.argument(call, keyword, position - method)

    def as_logits(self, line: int) -> Fix | None:
        """A fix that gives the one distribution of a line its last argument as logits."""
        found: list[ast.expr] = []
        for call in self.on_line(line, ast.Call):
            home, _, name = self.resolve(call.func).rpartition(".")
            whole = not any(isinstance(each, ast.Starred) for each in call.args)
            if home.startswith("torch.distributions") and name in PROBABILITIES and whole:
                found += call.args[PROBABILITIES[name] :]
        if len(found) != 1:
            return None
        return Fix("Give them as logits", (self.insert(found[0], "logits="),), "shown")

    def given_as(self, line: int, column: int | None, name: str, form: str) -> Fix | None:
        """A fix that writes another form of what the call at a place is given first."""
        calls = [c for c in self.on_line(line, ast.Call) if self.span(c).column == column]
        given = [c.args[0] for c in calls if c.args and self.text_of(c.args[0]) == name]
        text = form.format(name)
        return Fix(f"Write `{text}`", (self.replace(given[0], text),), "shown") if given else None

    def kept_whole(self, line: int, path: str, kind: str) -> Fix | None:
        """A fix by which a layer, named by its path, or what a line calls no longer works in place."""
        made = self.constructor(path, line) if path else None
        ours = (
            made in self.parent and self.resolve(made.func) == f"torch.nn.{kind}" if made else False
        )
        calls = [made] if ours and made else [] if path else self.on_line(line, ast.Call)
        given = [(k.arg, k.value) for c in calls for k in c.keywords]
        given += [("inplace", each) for each in (made.args if ours and made else ())]
        trues = [v for name, v in given if name == "inplace" and self.is_constant(v, True)]
        if len(trues) != 1:
            return None
        return Fix("Make a new tensor there", (self.replace(trues[0], "False"),), "shown")

    def entered(self, line: int, key: str, other: str) -> Fix | None:
        """A fix that asks for another entry of a dictionary, or for the whole where that has no name."""
        found = self.on_line(line, ast.Subscript)
        asked = [n for n in found if getattr(n.slice, "value", None) == key]
        if len(asked) != 1:
            return None
        quote = self.text_of(asked[0].slice)[-1]
        entry = self.replace(asked[0].slice, f"{quote}{other}{quote}")
        whole = self.replace(asked[0], self.text_of(asked[0].value))
        return Fix("Load what is there", (entry if other else whole,), "shown")
