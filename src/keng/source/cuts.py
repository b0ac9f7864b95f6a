"""A layer of Code: graphs that are kept, cut or gone around, and parts that are not to learn."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit
from keng.source.contexts import Grad
from keng.source.deployment import Deployment
from keng.source.loops import Act, Loop
from keng.source.values import MODULES, Kind
from keng.tables.torch_names import TENSOR_METHODS

NUMBERS = frozenset({"item", "numpy", "tolist"})
TELLS = (ast.Compare, ast.JoinedStr, ast.Subscript, ast.Assert, ast.Raise)
"""Where a number is looked at, shown or counted with, and computed with no more."""
ON_CPU = frozenset(
    f"torch.{name}"
    for name in (
        "tensor",
        "zeros",
        "ones",
        "rand",
        "randn",
        "arange",
        "linspace",
        "eye",
        "tril",
        "triu",
    )
)
"""What makes a tensor, on the CPU unless it is told otherwise."""
COMPUTES = frozenset(
    [
        *("exp", "log", "sigmoid", "softmax", "tanh", "pow", "clamp"),
        *("unsqueeze", "expand", "expand_as", "t", "T", "mT", "transpose"),
    ]
)
"""Methods that compute something new from a tensor."""
HANDS = (ast.List, ast.Tuple, ast.Call, ast.keyword, ast.Attribute, ast.Dict, ast.Return)
"""What an expression stands in that is handed on, or asked for something of its own."""


class Cuts(Deployment):
    # graphs that are kept

    def only_backward_retaining(self, loop: Loop) -> tuple[ast.Call | None, ast.keyword | None]:
        """The one backward of a loop's rounds, if it keeps its graph, and the argument that says so."""
        steps = loop.all(Act.BACKWARD)
        call = steps[0].call if len(steps) == 1 and steps[0].via is steps[0].call else None
        if not isinstance(call, ast.Call) or steps[0].code is not self.me:
            return None, None
        if any(self.within(c, loop.node) for c in self.calls_to("torch.autograd.grad")):
            return None, None
        names = {k.arg: k for k in call.keywords}
        keeps = names.get("retain_graph")
        if keeps is None or "create_graph" in names or not self.is_true(keeps.value):
            return None, None
        return call, keeps

    def graph_from_elsewhere(self, loop: Loop) -> bool:
        """Whether a round of a loop may go on with a graph from before the loop, or from the last round."""
        if any(True for _ in self.carried(loop)) or self._keeps_on_self(loop):
            return True
        names = [n for n in self.below(loop.node, ast.Name) if isinstance(n.ctx, ast.Load)]
        return any(self._brings_graph(name, loop) for name in names)

    def _keeps_on_self(self, loop: Loop) -> bool:
        stored = [a for a in self.below(loop.node, ast.Attribute) if isinstance(a.ctx, ast.Store)]
        return any(self.self_class(attribute.value) is not None for attribute in stored)

    def _brings_graph(self, name: ast.Name, loop: Loop) -> bool:
        for binding in self.reaching(name):
            inside = self.within(binding.node, loop.node)
            later = self.position(binding.node) > self.position(name)
            if inside and not later:
                continue
            if binding.how == "argument" and self.kind_of(name) is Kind.TENSOR:
                return True
            value = binding.value if binding.how in ("assign", "augment") else None
            tensor = value is not None and self.kind_of(value) in (Kind.TENSOR, Kind.UNKNOWN)
            if tensor and value is not None and self._computed(value):
                return True
        return False

    def _computed(self, value: ast.expr) -> bool:
        """Whether a value, no leaf itself, is computed from something that learns."""
        if self.learns(value) or isinstance(value, (ast.Attribute, ast.Name)):
            return False
        return any(followed for followed, _ in self._ways(value, 12))

    # graphs that are cut

    def _in_forward(self, node: ast.AST) -> bool:
        function = self.function_around(node)
        named = function is not None and function.name == "forward"
        return named and self.module_around(node) is not None

    def leaves_on_self(self) -> Iterator[tuple[str, ast.expr]]:
        """The tensors that are to gather gradients, and no Parameters, which a module keeps and computes
        with. One that a file names in a list, or hands to anything, may be optimized by hand."""
        for name, value in self.module_values():
            plain = isinstance(value, ast.Call) and self.learns(value)
            if not plain or self.registered_by_assignment(value):
                continue
            uses = self.attributes_by_name.get(name, [])
            read = [a for a in uses if isinstance(a.ctx, ast.Load)]
            handed = any(self._handed_on(a) for a in read)
            if any(self._computes_with(a) for a in read) and not handed:
                yield name, value

    def tensors_left_behind(self) -> Iterator[tuple[str, ast.expr, ast.Attribute]]:
        """The plain tensors that a module makes on the CPU and computes with in its forward, while it is
        sent to a GPU in this file: the name, the value and the use."""
        moved = {self.value_of(self.me.receiver(c)).definition for c in self._moves()}
        owners = {made.node for made in moved if made is not None}
        for name, value in self.module_values() if owners else ():
            owner = self.class_around(value)
            if owner not in owners or owner is None or not self._made_on_cpu(value):
                continue
            uses = self.attributes_by_name.get(name, [])
            read = [a for a in uses if isinstance(a.ctx, ast.Load)]
            first = next((a for a in read if self._in_forward(a) and self._meets_others(a)), None)
            sent = any(isinstance(self.parent[a], (ast.Attribute, ast.keyword)) for a in read)
            own = {"_apply", "to", "cuda"} & {n.name for n in self.below(owner, ast.FunctionDef)}
            if first is not None and not sent and not own and len(uses) - len(read) == 1:
                yield name, value, first

    def _moves(self) -> list[ast.Call]:
        return [c for c in self.method_calls("to", "cuda") if self.puts_on_cuda(c)]

    def _made_on_cpu(self, value: ast.expr) -> bool:
        """Whether an expression makes a tensor of one dimension or more, and names no device."""
        calls = [n for n in ast.walk(value) if isinstance(n, ast.Call)]
        made = self.resolve(calls[0].func) if calls and calls[0] is value else ""
        named = any(k.arg in ("device", "requires_grad", None) for c in calls for k in c.keywords)
        first = calls[0].args[0] if calls and calls[0].args else None
        sized = made != "torch.tensor" or isinstance(first, (ast.List, ast.ListComp))
        return made in ON_CPU and sized and not named and not self.learns(value)

    def _meets_others(self, attribute: ast.Attribute) -> bool:
        """Whether a tensor is an operand beside something else, or an argument of a torch function."""
        above = self.parent[attribute]
        if isinstance(above, ast.Call):
            function = self.resolve(above.func)
            given = len(above.args) > 1 and function.startswith("torch.")
            return attribute in above.args and given and function != "torch.tensor"
        return isinstance(above, ast.BinOp) and self.kind_of(above) is Kind.TENSOR

    def _handed_on(self, attribute: ast.Attribute) -> bool:
        """Whether an attribute is handed on, or asked for something other than a value computed from it."""
        above = self.parent[attribute]
        return isinstance(above, HANDS) and getattr(above, "attr", "") not in COMPUTES

    def _computes_with(self, attribute: ast.Attribute) -> bool:
        """Whether an attribute is read in a method of a module, its constructor aside."""
        function = self.function_around(attribute)
        made = function is not None and function.name == "__init__"
        return not made and self.module_around(attribute) is not None

    def parameters_cut(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """What turns a Parameter of a module into a plain value in its forward: `self.scale.item()`,
        `float(self.scale)`, `self.scale.data`; with the Parameter."""
        made_here = next(self.calls_to("torch.nn.Parameter"), None)
        for attribute in self.of(ast.Attribute) if made_here else ():
            owner = self.self_class(attribute.value)
            if owner is None or not isinstance(attribute.ctx, ast.Load):
                continue
            given = self.attributes(owner).get(attribute.attr, [])
            made = [v.func for v, path in given if isinstance(v, ast.Call) and not path]
            learned = [f for f in made if self.resolve(f) == "torch.nn.Parameter"]
            if learned and self._in_forward(attribute) and (cut := self._plain(attribute)):
                yield cut, attribute

    def _plain(self, parameter: ast.Attribute) -> ast.expr | None:
        """The expression around a parameter that is its plain value."""
        above = self.parent[parameter]
        call = self.parent.get(above)
        match above:
            case ast.Attribute(attr="data"):
                said = isinstance(call, ast.Attribute) and call.attr == "detach"
                return None if said else above
            case ast.Attribute(attr=method) if method in NUMBERS and isinstance(call, ast.Call):
                return call if call.func is above else None
            case ast.Call() if self.resolve(above.func) == "builtins.float":
                return above
        return None

    def enters_a_result(self, node: ast.expr, depth: int = 2) -> bool:
        """Whether a value is computed with, in training too: in arithmetic or as an argument, by itself
        or under the name that it is given."""
        if self.under_training_test(node) or not depth:
            return False
        above = self.parent[node]
        if isinstance(above, ast.Assign) and isinstance(above.targets[0], ast.Name):
            stored = above.targets[0]
            uses = [n for n in self.of(ast.Name) if self._gets(n, stored)]
            return any(self.enters_a_result(use, depth - 1) for use in uses)
        computed = False
        for above in self.ancestors(node):
            if isinstance(above, TELLS):
                return False
            computed |= isinstance(above, (ast.BinOp, ast.UnaryOp, ast.Call))
            if isinstance(above, ast.stmt):
                return computed and isinstance(above, (ast.Return, ast.Assign, ast.AugAssign))
        return False

    def _gets(self, name: ast.Name, stored: ast.Name) -> bool:
        same = name.id == stored.id and isinstance(name.ctx, ast.Load)
        return same and stored in [binding.node for binding in self.reaching(name)]

    def outputs_copied(self) -> Iterator[ast.Call]:
        """The calls of torch.tensor, in forwards, on what layers have given."""
        for call in self.calls_to("torch.tensor"):
            given = call.args[:1]
            parts = given[0].elts if given and isinstance(given[0], ast.List) else given
            tensors = [part for part in parts if self.kind_of(part) is Kind.TENSOR]
            if self._in_forward(call) and any(map(self._through_layer, tensors)):
                yield call

    # graphs that are gone around

    def data_overwritten(self) -> Iterator[tuple[ast.AST, ast.expr]]:
        """What writes into `x.data`, and x."""
        for node in self.of(ast.Call, ast.Assign, ast.AugAssign) if b".data" in self.data else ():
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=name, value=ast.Attribute(attr="data") as data)
                ):
                    if name.endswith("_") and not name.endswith("__"):
                        yield node, data.value
                case (
                    ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="data") as data)])
                    | ast.AugAssign(target=ast.Subscript(value=ast.Attribute(attr="data") as data))
                    | ast.AugAssign(target=ast.Attribute(attr="data") as data)
                ):
                    yield node, data.value

    def out_of_place(self, node: ast.AST, tensor: ast.expr) -> Edit | None:
        """`x.data.clamp_(...)`, a statement, as `x = x.clamp(...)`; None where there is no such method."""
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if isinstance(tensor, ast.Name):
                plain = method.removesuffix("_")
                if plain in TENSOR_METHODS and isinstance(self.parent[node], ast.Expr):
                    given = self.data[self.bounds(node.func)[1] : self.bounds(node)[1]].decode()
                    return self.replace(node, f"{tensor.id} = {tensor.id}.{plain}{given}")
        return None

    def has_graph(self, tensor: ast.expr) -> bool:
        """Whether a name is known to hold what was computed from something that learns."""
        if not isinstance(tensor, ast.Name):
            return False
        found = self.reaching(tensor)
        values = [b.value for b in found if b.how == "assign" and not b.path]
        return len(values) == len(found) > 0 and all(v and self._through_layer(v) for v in values)

    def _through_layer(self, value: ast.expr) -> bool:
        """Whether a value is computed from what a layer gives or from a leaf that learns."""
        ends = [end for followed, end in self._ways(value, 12) if followed]
        return self._computed(value) and any(isinstance(end, ast.Call) for end in ends)

    # parts that are not to learn

    def frozen_forwards(self) -> Iterator[ast.Call]:
        """Calls, in training loops, of models that are not to learn there: frozen before, or called
        without gradients and never with them."""
        for loop in self.training_loops:
            calls = [c for c in self.below(loop.node, ast.Call) if self._calls_model(c)]
            for call in calls:
                text = ast.unparse(call.func)
                if self._touched(text):
                    continue
                off = [self.grad_at(c) is Grad.OFF for c in calls if ast.unparse(c.func) == text]
                if self._frozen_before(text, loop) or all(off):
                    yield call

    def _calls_model(self, call: ast.Call) -> bool:
        return self.kind_of(call.func) in MODULES and isinstance(
            call.func, (ast.Name, ast.Attribute)
        )

    def _frozen_before(self, text: str, loop: Loop) -> bool:
        """Whether all parameters of a model are frozen before a loop, in the same body."""
        body = self.body_around(loop.node)
        for call in self.method_calls("requires_grad_"):
            frozen = bool(call.args) and self.is_constant(call.args[0], False)
            here = self.body_around(call) is body and not self.within(call, loop.node)
            if ast.unparse(self.me.receiver(call)) == text and frozen and here:
                return True
        return any(
            ast.unparse(each.iter).startswith(f"{text}.parameters(")
            and list(self._grad_switches(each)) == [False]
            for each, _ in self.parameter_loops()
            if self.body_around(each) is body and not self.within(each, loop.node)
        )

    def _touched(self, text: str) -> bool:
        """Whether a model is unfrozen, averaged, or optimized anywhere in the file."""
        for call in self.method_calls("requires_grad_", "parameters", "state_dict"):
            if ast.unparse(self.me.receiver(call)) != text:
                continue
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            freezes = any(
                each.iter is call and list(self._grad_switches(each)) == [False]
                for each, _ in self.parameter_loops()
            )
            if method == "requires_grad_" and call.args and self.is_constant(call.args[0], False):
                continue
            if not freezes:
                return True
        return False
