"""A layer of Code: parts of a module that were put into eval mode when it was made, and do not stay there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from keng.source.index import FUNCTIONS, part_at
from keng.source.modes import unmoved
from keng.source.names import Definition
from keng.source.values import MODULES
from keng.source.variational import Variational


class Undone(NamedTuple):
    """`model.train()`, the class of the model, the part that its constructor had put into eval mode, and the
    layers of that which heed the mode by class name, None where they are not all known."""

    train: ast.Call
    owner: str
    part: str
    layers: set[str] | None


class Undoing(Variational):
    def evals_undone(self) -> Iterator[Undone]:
        """The first `train()` on objects of each class whose constructor puts a part into eval mode, where
        nothing puts it back."""
        told: set[ast.AST] = set()
        for train in sorted(self.me.method_calls("train"), key=self.position):
            kind = self._class_switched(train) if self._switch(train) == "train" else None
            if kind is None or kind.node in told or self.me.method(kind, "train") is not None:
                continue
            told.add(kind.node)
            for part, switch in kind.code.me.put_into_eval(kind.node):
                layers = kind.code.me.layers_of_part(kind.node, part)
                if layers != set() and not self._puts_back(part, switch):
                    yield Undone(train, kind.node.name, part, layers)

    def _class_switched(self, train: ast.Call) -> Definition | None:
        """The project's class of the module that a call switches."""
        model = self.me.receiver(train)
        own = self.self_class(model)
        found = Definition(self.me, own) if own is not None else self._class_made(model)
        if found is None or not isinstance(found.node, ast.ClassDef):
            return None
        return found if found.code.kind_of_class(found.node) in MODULES else None

    def _class_made(self, model: ast.expr | None) -> Definition | None:
        """The class of an object; of an argument the one class of the project that callers give, which may
        also give layers of PyTorch."""
        made = self.value_of(model).definition
        bound = self.reaching(model) if made is None and isinstance(model, ast.Name) else []
        if len(bound) != 1:
            return made
        given = [code.value_of(each) for code, each in self.given_by_callers(bound[0].node)]
        kinds = {
            each.definition.node: each.definition for each in given if each.definition is not None
        }
        return kinds.popitem()[1] if len(kinds) == 1 else None

    def put_into_eval(self, owner: ast.AST) -> Iterator[tuple[str, ast.Call]]:
        """The parts that the constructor of a class puts into eval mode, where another method uses them and
        nothing in the file puts them back."""
        made = self.member(owner, ["__init__"])
        if not isinstance(made, FUNCTIONS):
            return
        for call in self.me.method_calls("eval"):
            part = self._part_switched(call) if self.within(call, made) else ""
            uses = [a for a in self.attributes_by_name.get(part, ()) if not self.within(a, made)]
            used = any(self.self_class(a.value) is owner for a in uses)
            if used and not self._puts_back(part, call):
                yield part, call

    def _part_switched(self, switch: ast.Call) -> str:
        """The name of the part, of `self.part.eval()` and of `self.part = made().eval()`."""
        statement = self.statement(switch)
        model: ast.expr = unmoved(self.me.receiver(switch))
        if isinstance(statement, ast.Assign) and self._is_chained(switch, statement.value):
            model = statement.targets[0]
        own = isinstance(model, ast.Attribute) and self.self_class(model.value) is not None
        return model.attr if own and isinstance(model, ast.Attribute) else ""

    def _puts_back(self, part: str, switch: ast.Call) -> bool:
        """Whether another `eval()` of the file is one of the part, or of modules that a loop goes through or
        `apply` is given."""
        others = [c for c in self.me.method_calls("eval") if c is not switch]
        return any(self._reaches(self.me.receiver(call), part) for call in others)

    def _reaches(self, model: ast.expr, part: str) -> bool:
        if isinstance(model, ast.Name):
            each = [b for b in self.reaching(model) if b.how in ("for", "argument")]
            function = self.function_around(model)
            given = getattr(function, "name", "") in self._applied
            return any(b.how == "for" or given for b in each)
        return any(isinstance(n, ast.Attribute) and n.attr == part for n in ast.walk(model))

    @cached_property
    def _applied(self) -> set[str]:
        """The names of functions that `apply` is given."""
        calls = self.me.method_calls("apply")
        return {
            n.id
            for call in calls
            for a in call.args
            for n in ast.walk(a)
            if isinstance(n, ast.Name)
        }

    def layers_of_part(self, owner: ast.AST, part: str) -> set[str] | None:
        """The layers of a part that heed the mode, by class name; None where they are not all known."""
        given = [part_at(*each) for each in self.attributes(owner).get(part, ())]
        made = given[0] if len(given) == 1 else None
        return self.me.mode_layers(unmoved(made)) if made is not None else None
