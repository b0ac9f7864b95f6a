"""A layer of Code: what the rounds of a training loop do to optimizers and running totals."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from keng.source.contexts import Grad
from keng.source.formulas import Formulas
from keng.source.index import FUNCTIONS, LOOPS, Function
from keng.source.loops import BACKWARD, CLEARS, Act, Loop, Round
from keng.source.values import Kind

CARRYING = frozenset(
    ["AdamW", "Adam", "NAdam", "RAdam", "Adamax", "SparseAdam", "ASGD", "Rprop", "Muon"]
)
"""Optimizers of torch.optim that move a parameter on while its gradient is zero, at their defaults."""
OPTIMIZER_OPTIONS = ("weight_decay", "momentum")


class Training(Formulas):
    def kept_values(self, loop: Loop) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
        """Where a loop adds to something that stays: `total += value`, `total = total + value`,
        `total = 0.9 * total + 0.1 * value`, `kept.append(value)`. The node to name, what holds it, and
        the value."""
        inner = [each.node for each in loop.inner if each.trains]
        for kept in self.kept_below(loop.node):
            if not any(self.within(kept[0], each) for each in inner):
                yield kept

    def kept_below(self, block: ast.AST) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
        for node in self.below(block, ast.AugAssign, ast.Assign, ast.Call):
            match node:
                case ast.AugAssign(op=ast.Add()):
                    yield node, node.target, node.value
                case ast.Assign(
                    targets=[target], value=ast.BinOp(op=ast.Add(), left=left, right=right)
                ):
                    if ast.unparse(target) in factors(left):
                        yield node, target, right
                    elif ast.unparse(target) in factors(right):
                        yield node, target, left
                case ast.Call(func=ast.Attribute(value=holder)):
                    if isinstance(self.parent[node], ast.Expr):
                        yield from ((node, holder, value) for value in self._taken(node, block))

    def _taken(self, call: ast.Call, block: ast.AST) -> Iterator[ast.expr]:
        """What the object whose method is called adds to what it holds: a list by `append`, one of the
        project where the block that calls it, and the training loops, do not empty it again."""
        method = self.definition(call.func)
        if method is None or isinstance(method.node, ast.ClassDef):
            appends = isinstance(call.func, ast.Attribute) and call.func.attr == "append"
            yield from call.args if appends and len(call.args) == 1 else ()
            return
        rounds = [block, *(loop.node for loop in self.training_loops)]
        for name, emptied_by in method.code.arguments_kept(method.node).items():
            given = self.passed(call, method.node, name)
            again = [c for c in self.method_calls(*emptied_by) for r in rounds if self.within(c, r)]
            if given is not None and not again:
                yield given

    def arguments_kept(self, method: Function) -> dict[str, set[str]]:
        """The arguments of a method that it adds, as they come, to an attribute of its object; with the
        methods of the class that empty this again."""
        owner = self.parent.get(method)
        if method not in self._arguments_kept and isinstance(owner, ast.ClassDef):
            kept = self._arguments_kept[method] = {}
            for node, holder, value in self._kept_by_attributes(method):
                if self.bounded(holder) or self.grad_at(node, 0) is not Grad.ON:
                    continue
                by = {
                    f.name for n in self._emptyings(holder, owner) if (f := self.function_around(n))
                }
                for name in self.attached(value):
                    if all(b.how == "argument" for b in self.reaching(name)):
                        kept[name.id] = by
        return self._arguments_kept.get(method, {})

    @cached_property
    def _arguments_kept(self) -> dict[ast.AST, dict[str, set[str]]]:
        return {}

    def kept_on_self(self) -> Iterator[tuple[ast.AST, ast.expr, ast.Name]]:
        """Where a method that goes backward and steps keeps its loss on `self` for good, or a
        `training_step` of Lightning what it returns, with the graph: the node, the holder, the loss."""
        ours = self.uses_framework()
        for function in self.of(ast.FunctionDef):
            lost = [
                part for loss in self._losses_of(function) for part in self._learned_parts(loss)
            ]
            for node, holder, value in self._kept_by_attributes(function) if lost else ():
                names = [n for n in self.attached(value) if any(self.same_loss(n, m) for m in lost)]
                if names and not self._emptied(holder, function if ours else self.tree):
                    yield node, holder, names[0]

    def _learned_parts(self, loss: ast.Name) -> Iterator[ast.Name]:
        """A loss and the tensors that it was summed from."""
        yield loss
        yield from (p for p in self.parts(loss)[1:] if self.kind_of(p) is Kind.TENSOR)

    def _kept_by_attributes(
        self, function: Function
    ) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
        """What a method keeps on `self`, or gives to a method of the same object that does."""
        for node, holder, value in self.kept_below(function):
            of = holder.value if isinstance(holder, ast.Attribute) else holder
            if self.self_class(of) is not None:
                yield node, holder, value

    def _losses_of(self, function: ast.FunctionDef) -> list[ast.Name]:
        """What one call of a method goes backward on, or hands to the trainer that does."""
        if not self.is_method(function):
            return []
        if self.uses_framework():
            named = function.name in ("training_step", "compute_loss")
            ways = [
                first_part(way) for returned in self.returns(function) for way in ways_of(returned)
            ]
            given = [way for way in ways if isinstance(way, ast.Name)]
            return [*given, *self._lost_in(function)] if named else []
        steps = Round(self.me, function)
        if not any(self.function_around(c) is function for c in self.method_calls(*BACKWARD)):
            return []
        if not steps.trains:
            return []
        own = [s.call for s in steps.own(Act.BACKWARD) if isinstance(s.call, ast.Call)]
        single = [c for c in own if not isinstance(self.around(c, *LOOPS, *FUNCTIONS), LOOPS)]
        return [name for call in single for name in self.lost(call)]

    def _lost_in(self, function: ast.AST) -> list[ast.Name]:
        """What the calls of backward below a node go back through."""
        calls = [c for c in self.below(function, ast.Call) if self.act_of(c) is Act.BACKWARD]
        return [name for call in calls for name in self.lost(call)]

    def is_loss_of_step(self, name: ast.Name) -> bool:
        """Whether a name was given what a function of the project went backward on and returned."""
        call = self.assigned(name)
        function = self.definition(call.func) if isinstance(call, ast.Call) else None
        if function is None or isinstance(function.node, ast.ClassDef):
            return False
        code, lost = function.code, function.code._lost_in(function.node)
        ways = code.returns(function.node) if lost else []
        return bool(ways) and all(
            isinstance(way, ast.Name) and any(code.same_value(way, other) for other in lost)
            for way in ways
        )

    def _emptied(self, holder: ast.expr, scope: ast.AST) -> bool:
        """Whether what an attribute holds is dropped somewhere in a scope, or is bounded."""
        return self.bounded(holder) or any(True for _ in self._emptyings(holder, scope))

    def _emptyings(self, holder: ast.expr, scope: ast.AST) -> Iterator[ast.AST]:
        """Where in a scope what an attribute holds is dropped."""
        name = holder.attr if isinstance(holder, ast.Attribute) else ""
        for node in self.below(scope, ast.Call, ast.Attribute):
            match node:
                case ast.Call(func=ast.Attribute(attr=method, value=ast.Attribute(attr=attr))):
                    if attr == name and method in ("clear", "pop", "popleft", "zero_"):
                        yield node
                case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()) if attr == name:
                    function = self.function_around(node)
                    kept = isinstance(self.parent[node], ast.AugAssign)
                    if not kept and function is not None and function.name != "__init__":
                        yield node
                case ast.Attribute(attr=attr) if attr == name:
                    above = self.parent[node]
                    if isinstance(above, ast.Subscript) and not isinstance(above.ctx, ast.Load):
                        yield node

    def cleared_around(self, loop: Loop) -> bool:
        """Whether a loop around this one clears gradients, and this one goes over something else
        than a loader, so that one clearing for all its rounds may be meant."""
        outer = [o for o in self.loops if o is not loop and self.within(loop.node, o.node)]
        return not loop.over_loader and any(
            o.has(Act.ZERO_GRAD) or o.has(Act.OPAQUE) for o in outer
        )

    @cached_property
    def cleared_by_callbacks(self) -> bool:
        """Whether a function of the file clears gradients that is called by a name which only the run knows,
        or as a method of what is not known."""
        clears = [c for c in self.of(ast.Call) if CLEARS.search(self.written_name(c.func))]
        names = {function.name for c in clears if (function := self.function_around(c))}
        return any(self._may_call(call.func, names) for call in self.of(ast.Call) if names)

    def _may_call(self, function: ast.expr, names: set[str]) -> bool:
        if isinstance(function, ast.Call):
            return self.resolve(function.func) == "builtins.getattr"
        unknown = isinstance(function, ast.Attribute) and self.definition(function) is None
        return unknown and self.written_name(function) in names

    def optimizer_is_new(self, loop: Loop) -> bool:
        """Whether each round of a loop makes its own optimizer."""
        return any(
            self.kind_of(call) is Kind.OPTIMIZER
            for call in self.below(loop.node, ast.Call)
            if self.resolve(call.func).startswith("torch.optim.")
        )

    def freezes_while_training(self, node: ast.AST) -> bool:
        """Whether a loop around a node turns `requires_grad` off for good, never on again."""
        loops = [loop for loop in self.loops if self.within(node, loop.node)]
        switches = [s for loop in loops for s in self._grad_switches(loop.node)]
        return bool(switches) and not any(switches)

    def _grad_switches(self, scope: ast.AST) -> Iterator[bool]:
        """The values that `requires_grad` is set to below a node; an unknown one counts as on."""
        for node in self.below(scope, ast.Call, ast.Assign):
            match node:
                case ast.Call(func=ast.Attribute(attr="requires_grad_"), args=args):
                    yield not args or not self.is_constant(args[0], False)
                case ast.Assign(targets=[ast.Attribute(attr="requires_grad")], value=value):
                    yield not self.is_constant(value, False)

    def is_constant(self, node: ast.AST | None, value: object) -> bool:
        return isinstance(node, ast.Constant) and node.value is value

    def carries_on(self, optimizer: ast.expr) -> bool:
        """Whether an optimizer is known to move parameters whose gradient is zero: by its own
        running averages, by momentum or by weight decay."""
        maker = self.value_of(optimizer)
        if maker.call is None or maker.kind is not Kind.OPTIMIZER:
            return False
        if maker.dotted.rpartition(".")[2] in CARRYING:
            return True
        given = [k.value for k in maker.call.keywords if k.arg in OPTIMIZER_OPTIONS]
        return any(isinstance(v, ast.Constant) and bool(v.value) for v in given)


def ways_of(node: ast.expr) -> list[ast.expr]:
    """What a conditional expression may be."""
    return [*ways_of(node.body), *ways_of(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def first_part(node: ast.expr) -> ast.expr:
    """Of several values the first."""
    return node.elts[0] if isinstance(node, ast.Tuple) and node.elts else node


def factors(node: ast.expr) -> set[str]:
    """What a product is made of, as text; of anything else that itself."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return factors(node.left) | factors(node.right)
    return {ast.unparse(node)}
