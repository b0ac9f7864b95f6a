"""A layer of Code: layers and loaders that are made for another size than comes."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from keng.model import Fix
from keng.source.edits import whole_number
from keng.source.index import LOOPS
from keng.source.lengths import Lengths

GIVES = {
    "out_features": 1,
    "out_channels": 1,
    "num_features": 0,
    "embedding_dim": 1,
    "hidden_size": 1,
}
"""The size of what a layer gives: the argument of its constructor, and where that stands."""
JOINS = ("cat", "concat", "concatenate", "stack", "hstack", "chunk", "split")
LOOPED = (ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.For, ast.While)


class Fitting(Lengths):
    def refitted(
        self,
        path: str,
        line: int,
        keyword: str,
        position: int,
        wants: int,
        came: int,
        beside: Mapping[str, Mapping[str, Any]],
    ) -> Fix | None:
        """A fix that makes a layer, named by its path in the model, for another size: where the argument
        of its constructor is a number, `wants` now, it becomes `came`; where it is a name, what a layer
        made before it says for `came`."""
        call = self.constructor(path, line)
        size = self.argument(call, keyword, position) if call is not None else None
        if call is None or size is None:
            return None
        text = str(came)
        if whole_number(size) is None:
            text = self._said_before(call, came, line, beside)
        elif whole_number(size) != wants:
            return None
        title = f"Make the layer for what arrives: {keyword}={came}"
        return Fix(title, (self.replace(size, text),), "shown") if text else None

    def _said_before(
        self, call: ast.Call, came: int, line: int, beside: Mapping[str, Mapping[str, Any]]
    ) -> str:
        """How the last layer that is made before this one in the same function writes the size that it
        gives, where that is `came`; nothing where sizes are joined on the way."""
        found: list[tuple[tuple[int, int], str, int]] = []
        for path, settings in beside.items():
            made = self.constructor(f"self.{path}", line)
            if made is None or self.position(made) >= self.position(call):
                continue
            alone = not any(self.around(each, *LOOPED) for each in (made, call))
            if alone and self.function_around(made) is self.function_around(call):
                for keyword, position in GIVES.items():
                    size = self.argument(made, keyword, position) if keyword in settings else None
                    if size is not None:
                        found.append((self.position(made), self.text_of(size), settings[keyword]))
        _, text, gives = max(found, key=lambda each: each[0], default=((0, 0), "", 0))
        forwards = self.on_line(line, ast.FunctionDef)
        called = [c.func for f in forwards for c in self.below(f, ast.Call)]
        joined = any(getattr(f, "attr", getattr(f, "id", "")) in JOINS for f in called)
        return text if gives == came and not joined else ""

    def constructor(self, path: str, line: int) -> ast.Call | None:
        """The call that made a layer, seen from a line: an attribute of the class around that line, or
        a module variable used on it, and from there along the path."""
        root, *steps = path.split(".")
        here = [n for n in self.of(ast.Name) if n.lineno == line]
        owners = (self.self_class(n) for n in here if n.id == "self")
        owner = next((found for found in owners if found is not None), None)
        if owner is not None and steps:
            named = max((n for n, step in enumerate(steps) if not step.isdecimal()), default=0)
            given = self.attributes(owner).get(steps[named], [])
            value = self.value_of(given[0][0]) if len(given) == 1 else None
            steps = steps[named + 1 :]
        else:
            value = next((self.value_of(n) for n in here if n.id == root), None)
        for step in steps:
            call = value.call if value is not None else None
            parts = self.parts_of(call) if call is not None else []
            if not step.isdecimal() or int(step) >= len(parts):
                return None
            value = self.value_of(parts[int(step)])
        return value.call if value is not None else None

    def registered(self, name: str, value: ast.expr) -> Fix | None:
        """A fix that puts what registers layers in the place of a list or dictionary of them."""
        wants, _ = self.container_for(name, value)
        spelled, text = self.spell(f"torch.nn.{wants}", value), self.text_of(value)
        if spelled is None or not self.takes_the_place(wants, name, value):
            return None
        wrapped = f"{spelled}({'' if text in ('[]', '{}') else text})"
        return Fix(f"Make it a {wants}", (self.replace(value, wrapped),))

    def seen_as_layers(self, name: str) -> Fix | None:
        """That, for the one attribute of this name."""
        found = [value for each, value in self.containers_of_layers() if each == name]
        fix = self.registered(name, found[0]) if len(found) == 1 else None
        return Fix(fix.title, fix.edits, "shown") if fix is not None else None

    def flattened(self, line: int, name: str, known: int, each: int) -> Fix | None:
        """A fix for `x.view(-1, known)` where a sample has other features, and for the layer behind it."""
        views = [
            c
            for c in self.on_line(line, ast.Call)
            if isinstance(c.func, ast.Attribute)
            and c.func.attr in ("view", "reshape")
            and self.text_of(c.func.value) == name
        ]
        owner = self.class_around(views[0]) if len(views) == 1 else None
        linear = [
            c.args[0]
            for c in (self.below(owner, ast.Call) if owner is not None else ())
            if self.resolve(c.func) == "torch.nn.Linear"
            and c.args
            and whole_number(c.args[0]) == known
        ]
        if len(linear) != 1:
            return None
        edits = (self.replace(linear[0], str(each)), self.replace(views[0], f"{name}.flatten(1)"))
        return Fix(f"Keep the batch, and make the layer for {each}", edits, "shown")

    def last_left_out(self, lines: Sequence[int]) -> Fix | None:
        """A fix for the DataLoader whose batches the innermost loop around one of these lines goes through,
        where these are known to be of several samples; the last line is the deepest."""
        around = [[n for n in self.of(*LOOPS) if self._covers(n, line)] for line in lines]
        inner = [max(loops, key=lambda loop: loop.lineno) for loops in around if loops]
        made = [self._loader_made(n.iter) if isinstance(n, ast.For) else None for n in inner]
        call = made[-1] if made and made[-1] in self.parent else None
        size = self.argument(call, "batch_size", 1) if call is not None else None
        written = self.assigned(size) or size
        if call is None or written is None or (whole_number(written) or 1) < 2:
            return None
        if any(k.arg in (None, "drop_last", "batch_sampler") for k in call.keywords):
            return None
        return self.add_argument(call, "drop_last=True", "Leave the last batch of one out", "shown")
