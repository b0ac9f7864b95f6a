"""A layer of Code: weights that are kept without a copy, and trained on before they are used."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from keng.source.index import names_in
from keng.source.loops import Act, Loop, Step
from keng.source.modes import text_root
from keng.source.reshaped import Reshapes
from keng.source.values import Kind

SHALLOW = frozenset(["builtins.dict", "collections.OrderedDict", "copy.copy"])
"""What copies a dictionary and not what is in it."""
NO_WEIGHTS = re.compile("opt|sched|scal", re.IGNORECASE)
"""Names of what has a state of other things, where its kind is not known."""
BETTER = re.compile("best|improve|better", re.IGNORECASE)
STOPPING = re.compile("patience|early_?stop", re.IGNORECASE)
"""Words of a class that is asked once a round of the training."""
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
Place = tuple[int, int]
LAST = (sys.maxsize, 0)


class Kept(NamedTuple):
    """`target = value` keeps the memory of `model`, or the model itself, and `use` reads it."""

    target: ast.Name | ast.Attribute
    value: ast.expr
    model: ast.expr
    use: ast.expr


class Keeping(Reshapes):
    def weights_kept(self) -> Iterator[Kept]:
        """Weights that are no copy, and that steps of an optimizer change before they are used as what they
        were: loaded back, saved or returned."""
        if b"state_dict" not in self.data and b"best" not in self.data:
            return
        for statement in self.of(ast.Assign):
            target, value = statement.targets[-1], statement.value
            if not isinstance(target, (ast.Name, ast.Attribute)):
                continue
            model = self._memory_of(value) or self._best_itself(target, value)
            kept = Kept(target, value, model, value) if model is not None else None
            use = kept and (self._use_in_function(kept) or self._use_in_class(kept))
            if kept is not None and use is not None:
                yield kept._replace(use=use)

    def _memory_of(self, value: ast.expr | None) -> ast.expr | None:
        """The model of whose memory a value is: its state dict, or another dictionary of the same."""
        match value:
            case ast.Call(func=ast.Attribute(value=owner, attr="state_dict"), args=[]):
                return owner if self._has_weights(owner) else None
            case ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[]):
                return self._memory_of(inner)
            case ast.Call(func=function, args=[inner]) if self.resolve(function) in SHALLOW:
                return self._memory_of(inner)
        return None

    def _has_weights(self, owner: ast.expr) -> bool:
        value = self.value_of(owner)
        if value.definition is not None and self.method(value.definition, "state_dict"):
            return False
        named_so = NO_WEIGHTS.search(ast.unparse(owner)) is None
        return value.kind is Kind.MODULE or (value.kind is Kind.UNKNOWN and named_so)

    def _best_itself(self, target: ast.expr, value: ast.expr) -> ast.expr | None:
        """The model in `best_model = model` among what is done again and again."""
        named = isinstance(value, (ast.Name, ast.Attribute)) and BETTER.search(ast.unparse(target))
        if not named or self.around(value, ast.For, ast.While) is None:
            return None
        return value if self.kind_of(value) is Kind.MODULE else None

    def _use_in_function(self, kept: Kept) -> ast.expr | None:
        """What reads it in the same function, after a step that changes it."""
        body, text = self.body_around(kept.target), ast.unparse(kept.target)
        same = [n for n in self.below(body, type(kept.target)) if ast.unparse(n) == text]
        if any(self._written_into(each) for each in same):
            return None
        uses = [n for n in same if self._gives(kept.target, n) and self._wants(n, kept.model)]
        steps = [s for s in self.steps_in(body.body) if s.act is Act.STEP] if uses else []
        moving = [step for step in steps if self._step_is_of(step, kept.model)]
        return next((use for use in uses if self._changed(kept, use, moving)), None)

    def _written_into(self, name: ast.AST) -> bool:
        above = self.parent[name]
        return isinstance(above, ast.Subscript) and not isinstance(above.ctx, ast.Load)

    def _gives(self, target: ast.Name | ast.Attribute, use: ast.Name | ast.Attribute) -> bool:
        """Whether what is read may be what was kept."""
        if not isinstance(use.ctx, ast.Load):
            return False
        if isinstance(use, ast.Name):
            return any(binding.node is target for binding in self.reaching(use))
        return self._never_copied(use.attr)

    def _never_copied(self, attribute: str) -> bool:
        """Whether all that such an attribute is given is memory of a model, or a constant to begin with."""
        stored = [n for n in self.attributes_by_name[attribute] if isinstance(n.ctx, ast.Store)]
        values = [getattr(self.parent[n], "value", None) for n in stored]
        return all(
            isinstance(value, (ast.Constant, ast.Dict)) or self._memory_of(value)
            for value in values
        )

    def _wants(self, use: ast.expr, model: ast.expr) -> bool:
        """Whether what is read is loaded into its own model, saved or returned."""
        for above in self.ancestors(use):
            if isinstance(above, ast.Call) and self._loads(above, model):
                given = above.args[:1]
                return use in given or any(isinstance(each, ast.DictComp) for each in given)
            if isinstance(above, ast.Call) and self.resolve(above.func) == "torch.save":
                return True
            if isinstance(above, ast.stmt):
                returned = [above, getattr(above, "value", None)]
                return isinstance(above, ast.Return) and self.parent[use] in returned
        return False

    def _loads(self, call: ast.Call, model: ast.expr) -> bool:
        function = call.func
        loads = isinstance(function, ast.Attribute) and function.attr == "load_state_dict"
        return loads and ast.unparse(self.me.receiver(call)) == ast.unparse(model)

    def _step_is_of(self, step: Step, model: ast.expr) -> bool:
        """Whether a step is of a model, as far as its optimizer, or the call that leads to it, tells."""
        root = text_root(model)
        if step.via is not step.call:
            taken = self.definition(step.via.func) if isinstance(step.via, ast.Call) else None
            inside = taken.code.below(taken.node, ast.Name) if taken is not None else []
            return any(name.id == root for name in [*self.below(step.via, ast.Name), *inside])
        made = self._models_of(step)
        return not made or any(root == name.partition(".")[0] for name in made)

    def _changed(self, kept: Kept, use: ast.expr, steps: list[Step]) -> bool:
        """Whether a step lies between, in this round of a loop or in the next."""
        start, end = self.position(kept.target), self.position(use)
        for step in steps:
            if start < self.position(step.via) < end:
                return not self._made_anew(kept, self._around_both(kept.target, use), start, end)
            for loop in self.loops:
                if self.within(step.via, loop.node) and self._comes_round(kept, use, loop):
                    return not self._made_anew(kept, loop.node)
        return False

    def _around_both(self, one: ast.AST, other: ast.AST) -> ast.AST:
        return next(above for above in self.ancestors(one) if self.within(other, above))

    def _comes_round(self, kept: Kept, use: ast.expr, loop: Loop) -> bool:
        """Whether a round of a loop may pass between, wherever a step is in it."""
        if not self.within(kept.target, loop.node):
            before = self.position(kept.target) < self.position(use)
            return before and self.within(use, loop.node)
        test = self.around(kept.target, ast.If)
        if (
            test is None
            or not self.within(test, loop.node)
            or not self._asks_for_better(test, loop)
        ):
            return False
        behind, inside = self.beside(self.statement(kept.target), test)[1], self.within(use, test)
        leaves = any(isinstance(each, (ast.Break, ast.Return, ast.Raise)) for each in behind)
        return not leaves and not (inside and self._arm(use, test) == self._arm(kept.target, test))

    def _asks_for_better(self, test: ast.If, loop: Loop) -> bool:
        """Whether something is kept where it is better than before, and not by the number of the round."""
        if BETTER.search(ast.unparse(test.test)):
            return True
        rounds = names_in(loop.node.target) if isinstance(loop.node, ast.For) else set()
        return any(
            isinstance(compared, ast.Compare)
            and isinstance(compared.ops[0], ORDERS)
            and not rounds & names_in(compared)
            for compared in ast.walk(test.test)
        )

    def _made_anew(
        self, kept: Kept, block: ast.AST, start: Place = (0, 0), end: Place = LAST
    ) -> bool:
        """Whether a block gives another model the name: what was kept is the old one's alone then."""
        text = ast.unparse(kept.model)
        named: list[ast.Name | ast.Attribute] = [
            *self.below(block, ast.Name),
            *self.below(block, ast.Attribute),
        ]
        between = [n for n in named if start < self.position(n) < end]
        stored = [ast.unparse(n) for n in between if isinstance(n.ctx, ast.Store)]
        return any(text == each or text.startswith(f"{each}.") for each in stored)

    def _use_in_class(self, kept: Kept) -> ast.expr | None:
        """Where another method of a class that stops a training early loads what it has kept."""
        target, owner = kept.target, self.class_around(kept.target)
        if owner is None or not isinstance(target, ast.Attribute):
            return None
        if not STOPPING.search(self.text_of(owner)) or not self._never_copied(target.attr):
            return None
        for read in self.attributes_by_name[target.attr]:
            here = self.class_around(read) is owner and isinstance(read.ctx, ast.Load)
            elsewhere = self.function_around(read) is not self.function_around(target)
            call = self.parent[read]
            if here and elsewhere and isinstance(call, ast.Call) and self._loads(call, kept.model):
                return read
        return None
