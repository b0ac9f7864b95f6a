"""A layer of Code: what is written and not done, and losses that lead back to nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.contexts import Grad
from keng.source.gradients import COPYING, ENDING_METHODS
from keng.source.index import LOOPS, names_in
from keng.source.keeping import Keeping
from keng.source.values import MODULES, Kind

ACTS = {
    "step": {Kind.OPTIMIZER, Kind.SCHEDULER},
    "zero_grad": {Kind.OPTIMIZER, Kind.MODULE},
    "backward": {Kind.TENSOR},
    "train": {Kind.MODULE},
    "eval": {Kind.MODULE},
}
"""Methods that do something, and what has them."""
READS = ("item", "tolist", "numpy", "detach", "cpu", "cuda", "numel")
"""Methods of a tensor that give a value, and that are no attributes of what else a model may return."""
TAKES_VALUES = frozenset(["builtins.print", "builtins.float", "builtins.int", "builtins.round"])
ANEW = frozenset(["torch.tensor", "torch.as_tensor", "torch.from_numpy", "torch.autograd.Variable"])
METHODS = (
    ENDING_METHODS | COPYING | {"to", "float", "cpu", "mean", "sum", "size", "squeeze", "unsqueeze"}
)
"""Methods of tensors, by which what is not known is taken for one."""
DEEPEST = 12
ITERATES = ("parameters", "named_parameters", "buffers", "named_buffers")


class Omissions(Keeping):
    def methods_not_called(self) -> Iterator[ast.Attribute]:
        """`optimizer.step` as a statement, and `loss.item` where a value is wanted."""
        for name, kinds in ACTS.items():
            for attribute in self.attributes_by_name.get(name, ()):
                alone = isinstance(self.parent[attribute], ast.Expr)
                if alone and self.kind_of(attribute.value) in kinds:
                    yield attribute
        for name in READS:
            for attribute in self.attributes_by_name.get(name, ()):
                if self._wants_value(attribute) and self.kind_of(attribute.value) is Kind.TENSOR:
                    yield attribute

    def _wants_value(self, attribute: ast.Attribute) -> bool:
        """Whether a function makes no sense where an attribute is read."""
        match self.parent[attribute]:
            case ast.BinOp() | ast.AugAssign() | ast.FormattedValue():
                return True
            case ast.Call(func=ast.Attribute(attr="append"), args=[given]):
                return given is attribute
            case ast.Call(func=function, args=given) if attribute in given:
                return self.resolve(function) in TAKES_VALUES
        return False

    def unlearned_losses(self) -> Iterator[tuple[ast.Call, ast.Name, ast.AST]]:
        """Calls of `backward` on a loss that has no graph, and where it has lost it: it was computed where
        gradients are off, made anew from values, or of nothing but what autograd does not follow."""
        for call in self.method_calls("backward"):
            loss = self.me.receiver(call)
            if not isinstance(loss, ast.Name) or self.probed(call):
                continue
            end = self._graph_lost(loss) if self.grad_at(call) is not Grad.OFF else None
            if end is not None:
                yield call, loss, end

    def _graph_lost(self, loss: ast.Name) -> ast.AST | None:
        found = self.reaching(loss)
        if not found or any(b.how != "assign" or b.path or b.value is None for b in found):
            return None
        values = [binding.value for binding in found if binding.value is not None]
        if not all(isinstance(value, (ast.Call, ast.BinOp)) for value in values):
            return None
        if all(self._made_anew_of_values(value) for value in values):
            return values[0]
        ends = [self._dead_ends(value, DEEPEST) for value in values]
        return ends[0][0] if ends[0] and all(ends) else None

    def _made_anew_of_values(self, value: ast.expr) -> bool:
        if not isinstance(value, ast.Call) or self.resolve(value.func) not in ANEW:
            return False
        given = [n for arg in value.args for n in ast.walk(arg)]
        return any(isinstance(n, ast.Name) and self.kind_of(n) is Kind.TENSOR for n in given)

    def _dead_ends(self, node: ast.expr, depth: int) -> list[ast.AST] | None:
        """What has ended the graphs that lead to a value; None where one may be whole."""
        if not depth or self.learns(node):
            return None
        if self._ends(node) or (isinstance(node, ast.Call) and self.grad_at(node) is Grad.OFF):
            return [node]
        match node:
            case ast.Constant():
                return []
            case ast.Name():
                parts = self._given_to(node)
            case ast.Call(func=function, args=args, keywords=keywords) if self._follows(node):
                receiver = [function.value] if isinstance(function, ast.Attribute) else []
                of_torch = self.resolve(function).startswith("torch.")
                moved = isinstance(function, ast.Attribute) and function.attr == "to"
                given = [] if moved else [*args, *(k.value for k in keywords)]
                parts = given if of_torch or self.kind_of(function) in MODULES else receiver + given
            case ast.BinOp(left=left, right=right):
                parts = [left, right]
            case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
                parts = [inner]
            case _:
                parts = None
        ends: list[ast.AST] = []
        for part in parts or ():
            behind = self._dead_ends(part, depth - 1)
            if behind is None:
                return None
            ends += behind
        return ends if parts is not None else None

    def _given_to(self, name: ast.Name) -> list[ast.expr] | None:
        """What a name was given, where it is told whole; a batch has no graph."""
        if self._made_leaf(name.id):
            return None
        given: list[ast.expr] = []
        found = self.reaching(name)
        for binding in found:
            value = binding.value
            if binding.how == "for" and value is not None and self.iterates_loader(value):
                continue
            if binding.how != "assign" or value is None:
                return None
            for n in binding.path:
                value = value.elts[n] if isinstance(value, ast.Tuple) else value
            given.append(value)
        return given if found else None

    def _made_leaf(self, name: str) -> bool:
        """Whether something of this name is made to gather gradients afterwards."""
        asked = [*self.attributes_by_name.get("requires_grad_", ())]
        asked += self.attributes_by_name.get("requires_grad", ())
        return any(isinstance(each.value, ast.Name) and each.value.id == name for each in asked)

    def _follows(self, call: ast.Call) -> bool:
        """Whether what a call gives has the graphs of what it is given, and none of its own."""
        if self.kind_of(call.func) is Kind.CRITERION:
            return True
        of_tensors = isinstance(call.func, ast.Attribute) and call.func.attr in METHODS
        return of_tensors or self.resolve(call.func).startswith("torch.")

    def parameters_rebound(self) -> Iterator[tuple[ast.Assign, str]]:
        """`slow = 0.9 * slow + 0.1 * fast` in a loop over parameters, where the name is not read again: the
        assignment, and the name."""
        for call in self.method_calls(*ITERATES):
            loop = self.around(call, ast.For)
            if loop is None or not self.within(call, loop.iter):
                continue
            names = names_in(loop.target)
            for assigned in self.below(loop, ast.Assign):
                target, value = assigned.targets[0], assigned.value
                if not isinstance(target, ast.Name) or not isinstance(value, ast.BinOp):
                    continue
                if target.id not in names:
                    continue
                read = [n for n in self.below(loop, ast.Name) if n.id == target.id]
                of_itself = any(self.within(n, value) for n in read)
                behind = [n for n in read if self.position(n) > self.position(value)]
                last = all(self.within(n, value) for n in behind)
                if of_itself and last:
                    yield assigned, target.id

    def loaded_from_themselves(self) -> Iterator[ast.Call]:
        """`target.load_state_dict(target.state_dict())`."""
        for call in self.method_calls("load_state_dict"):
            match call.args[:1]:
                case [ast.Call(func=ast.Attribute(attr="state_dict", value=given), args=[])]:
                    same = ast.unparse(given) == ast.unparse(self.me.receiver(call))
                    if same and self._has_weights(given) and not self.probed(call):
                        yield call

    def left_off_in_loops(self) -> Iterator[tuple[ast.Call, ast.Call]]:
        """`torch.set_grad_enabled(False)` in a loop whose next round goes backward: the call, and that."""
        switches = list(self.calls_to("torch.set_grad_enabled"))
        if len(switches) != 1 or b"enable_grad" in self.data:
            return
        (call,) = switches
        alone = isinstance(self.parent[call], ast.Expr) and call.args
        loops = [a for a in self.ancestors(call) if isinstance(a, LOOPS)]
        if not alone or not self.is_constant(call.args[0], False) or not loops:
            return
        home = self.function_around(call)
        for back in self.method_calls("backward"):
            before = self.position(back) < self.position(call)
            if before and self.within(back, loops[-1]) and self.function_around(back) is home:
                yield call, back
                return
