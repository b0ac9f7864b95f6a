"""A layer of Code: autograd, what a graph leads back to, what ends, frees or overwrites it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from keng.source.contexts import Grad
from keng.source.graphs import Graphs
from keng.source.index import LOOPS, Function, names_in
from keng.source.loops import Act, Loop
from keng.source.names import Binding, Definition
from keng.source.tables import RESHAPES
from keng.source.values import Kind, Value

ENDING_METHODS = frozenset(
    ["item", "detach", "tolist", "numpy", "argmax", "argmin", "argsort", "long", "int", "bool"]
)
"""Methods of a tensor that autograd does not follow."""
ENDING_CALLS = frozenset(
    [
        *("builtins.float", "builtins.int", "torch.tensor", "torch.argmax", "torch.argmin"),
        *("torch.from_numpy", "torch.autograd.Variable", "torch.argsort"),
    ]
)
MOST_BINDINGS = 50
IN_PLACE_BY_NATURE = frozenset({"requires_grad_", "detach_", "share_memory_", "retain_grad"})
COPYING = frozenset(
    [
        *("cuda", "double", "half", "bfloat16", "clone", "mul", "div", "add", "view", "t"),
        *("transpose", "permute", "reshape", "squeeze", "unsqueeze", "expand", "repeat"),
    ]
)
"""Methods of a tensor that make another one of it, recorded."""
RECURRENT = frozenset(
    {f"torch.nn.{kind}{cell}" for kind in ("RNN", "GRU", "LSTM") for cell in ("", "Cell")}
)


class Gradients(Graphs):
    def lost_on(self, line: int) -> list[ast.Name]:
        """The losses whose backward is called on a line."""
        calls = [c for c in self.on_line(line, ast.Call) if self.act_of(c) is Act.BACKWARD]
        return [name for call in calls for name in self.lost(call)]

    def unrecorded(self, loss: ast.Name) -> ast.AST | None:
        """The nearest binding, of a loss or of what it is computed from, that stands where gradients are
        off."""
        todo, seen = [loss], set[ast.AST]()
        while todo and len(seen) < MOST_BINDINGS:
            for binding in self.reaching(todo.pop(0)):
                if binding.node in seen:
                    continue
                if self.grad_at(binding.node) is Grad.OFF:
                    return binding.node
                seen.add(binding.node)
                value = binding.value
                todo += [n for n in ast.walk(value) if isinstance(n, ast.Name)] if value else []
        return None

    def silenced(self, loss: ast.Name) -> tuple[Definition, ast.expr] | None:
        """The nearest function that a loss is computed by and whose decorator turns gradients off, and this
        decorator."""
        values = [binding.value for binding in self.reaching(loss) if binding.value is not None]
        todo: list[tuple[Gradients, ast.expr]] = [(self, value) for value in values]
        seen = set[ast.AST]()
        while todo and len(seen) < MOST_BINDINGS:
            code, value = todo.pop(0)
            for call in (n for n in ast.walk(value) if isinstance(n, ast.Call)):
                told = code.what_runs(call)
                if told is None or told.node in seen:
                    continue
                seen.add(told.node)
                off = [d for d in told.node.decorator_list if told.code.switched(d) is Grad.OFF]
                if off:
                    return told, off[0]
                todo += [(told.code, each) for each in told.code.returned(told.node)]
        return None

    def returned(self, function: ast.AST) -> list[ast.expr]:
        """What a function returns, and the values of the names in that."""
        found = [r.value for r in self.below(function, ast.Return) if r.value is not None]
        names = [n for value in found for n in ast.walk(value) if isinstance(n, ast.Name)]
        bound = [b.value for name in names for b in self.reaching(name) if b.value is not None]
        return [*found, *bound]

    def frozen_at(self) -> list[ast.AST]:
        """Where the file turns `requires_grad` off."""
        sets = [(a, a.value) for a in self.of(ast.Assign) if "requires_grad" in self.text_of(a)]
        calls = [(c, c.args[0]) for c in self.method_calls("requires_grad_") if c.args]
        return [node for node, value in (*sets, *calls) if self.text_of(value) == "False"]

    def graph_ends(self, node: ast.expr) -> list[ast.expr]:
        """What ends the graph on every way to a value: an operation that autograd does not follow;
        nothing where a way leads to a module or parameter without one."""
        ways = list(self._ways(node, 12))
        ends = [self._first_end(end) for followed, end in ways if not followed]
        return ends if len(ends) == len(ways) else []

    def _first_end(self, end: ast.expr) -> ast.expr:
        """Of several ends one behind the other, the one that comes first in the run."""
        at: ast.expr | None = end
        for _ in range(12):
            at = self._first_operand(at)
            if at is None or self.kind_of(getattr(at, "func", None)) is Kind.MODULE:
                break
            end = at if self._ends(at) else end
        return end

    def _first_operand(self, node: ast.expr | None) -> ast.expr | None:
        match node:
            case ast.Name():
                found = [b.value for b in self.reaching(node) if b.how == "assign" and not b.path]
                return found[0] if len(found) == 1 else None
            case ast.Call(func=ast.Attribute(value=receiver)) if not self.resolve(node.func):
                return receiver
            case ast.Call():
                return node.args[0] if node.args else None
            case ast.Attribute(value=inner) | ast.Subscript(value=inner):
                return inner
            case ast.BinOp(left=inner) | ast.Compare(left=inner):
                return inner
        return None

    def _ways(self, node: ast.expr, depth: int) -> Iterator[tuple[bool, ast.expr]]:
        """The ends of the ways back from a value; True where one ends at what may learn."""
        if isinstance(node, ast.Name) and depth:
            for binding in self.reaching(node):
                if binding.how in ("assign", "augment") and binding.value is not None:
                    yield from self._ways(binding.value, depth - 1)
        elif self._ends(node):
            yield False, node
        elif isinstance(node, ast.Call):
            if self.kind_of(node.func) is Kind.MODULE or self.learns(node):
                yield True, node
            inner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            for part in (*inner, *node.args, *(k.value for k in node.keywords)):
                yield from self._ways(part, depth)
        elif isinstance(node, ast.Attribute) and self.self_class(node.value) is not None:
            yield True, node
        else:
            for part in [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]:
                yield from self._ways(part, depth)

    def _ends(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            method = isinstance(node.func, ast.Attribute) and node.func.attr in ENDING_METHODS
            return method or self.resolve(node.func) in ENDING_CALLS
        data = isinstance(node, ast.Attribute) and node.attr == "data"
        return data or isinstance(node, (ast.Compare, ast.Lambda))

    def through_module(self, node: ast.expr) -> bool:
        """Whether a value is known to have come through a module, whose graph keeps what it needs."""
        ways = [end for followed, end in self._ways(node, 12) if followed]
        return any(isinstance(e, ast.Call) and self.kind_of(e.func) is Kind.MODULE for e in ways)

    def learns(self, node: ast.expr) -> bool:
        """Whether a call makes a leaf that gathers gradients: a Parameter, or `requires_grad=True`."""
        if not isinstance(node, ast.Call):
            return False
        if self.resolve(node.func) == "torch.nn.Parameter":
            return True
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            return not node.keywords and all(map(self.is_true, node.args))
        return self.resolve(node.func).startswith("torch.") and self.asks_for_gradients(node)

    def optimized_values(self) -> Iterator[tuple[ast.Name, ast.expr]]:
        """The names in a list of parameters that an optimizer is made for, and what they were set to
        where that is one thing."""
        for listed in self.of(ast.List):
            names = [item for item in listed.elts if isinstance(item, ast.Name)]
            if not names or not self._is_optimized(listed):
                continue
            for name in names:
                if (value := self.assigned(name)) is not None:
                    yield name, value

    def _is_optimized(self, node: ast.expr) -> bool:
        """Whether an expression stands in the first argument that an optimizer is made with."""
        child: ast.AST = node
        for above in self.ancestors(node):
            if isinstance(above, ast.Call) and above.args[:1] == [child]:
                if self.resolve(above.func).startswith("torch.optim."):
                    return True
            elif isinstance(above, ast.stmt):
                return False
            child = above
        return False

    def computed_from_leaf(self, value: ast.expr) -> bool:
        """Whether an expression makes a leaf that gathers gradients and computes something from it."""
        if isinstance(value, ast.BinOp):
            sides = (value.left, value.right)
            return any(self.learns(s) or self.computed_from_leaf(s) for s in sides)
        if isinstance(value, ast.UnaryOp):
            return self.learns(value.operand)
        match value:
            case ast.Call(func=ast.Attribute(attr="to", value=inner), args=[where, *_]):
                return self.me.may_be_cuda(where) and self.learns(inner)
            case ast.Call(func=ast.Attribute(attr=method, value=inner)) if method in COPYING:
                return self.learns(inner) or self.computed_from_leaf(inner)
            case ast.Attribute(attr="T" | "mT", value=inner):
                return self.learns(inner) or self.computed_from_leaf(inner)
        return False

    def asks_for_gradients(self, call: ast.Call) -> bool:
        """Whether a call is given `requires_grad=True`."""
        given = [k.value for k in call.keywords if k.arg == "requires_grad"]
        return any(self.is_true(value) for value in given)

    def retains(self, call: ast.Call) -> bool:
        """Whether a backward may leave its graph for another."""
        return any(k.arg in ("retain_graph", "create_graph", None) for k in call.keywords) or (
            len(call.args) > 1
        )

    def backward_before(self, call: ast.Call) -> ast.Call | None:
        """The backward that ran last before this one in the same function and loop, one that leaves
        its graph apart."""
        home, loop = self.function_around(call), self.around(call, *LOOPS)
        before = [
            c
            for c in self.method_calls("backward")
            if self.function_around(c) is home
            and self.around(c, *LOOPS) is loop
            and self.position(c) < self.position(call)
            and not self.retains(c)
            and not self.probed(c)
            and self._always_before(c, call)
        ]
        return max(before, key=self.position, default=None)

    def part_freed(self, call: ast.Call, before: ast.Call) -> ast.Name | None:
        """What a backward goes through that the one before it has freed: a value of a model that is
        being trained, which both losses were computed from."""
        freed = {b.node for loss in self.lost(before) for b, _ in self._made_from(loss, 6)}
        for loss in self.lost(call):
            for binding, name in self._made_from(loss, 6):
                if binding.node in freed and self._kept_by_model(binding.value):
                    return name
        return None

    def _made_from(self, name: ast.Name, depth: int) -> Iterator[tuple[Binding, ast.Name]]:
        """What a value was computed from with its graph: where each name was set, and its use."""
        found = self.reaching(name)
        if len(found) != 1 or found[0].how != "assign" or found[0].path:
            return
        yield found[0], name
        for inner in self.attached(found[0].value) if depth and found[0].value else ():
            if isinstance(inner.ctx, ast.Load) and inner.id != name.id:
                yield from self._made_from(inner, depth - 1)

    def _kept_by_model(self, value: ast.expr | None) -> bool:
        """Whether a value is what a model gives, with a graph, whose parameters an optimizer has."""
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if value.func.attr not in RESHAPES:
                break
            value = value.func.value
        made = self.value_of(value.func) if isinstance(value, ast.Call) else None
        if not isinstance(value, ast.Call) or made is None or made.kind is not Kind.MODULE:
            return False
        if made.definition is not None and self._detaches(made.definition):
            return False
        parameters = f"{ast.unparse(value.func)}.parameters()"
        trained = any(
            call.args and ast.unparse(call.args[0]) == parameters
            for call in self.of(ast.Call)
            if self.kind_of(call) is Kind.OPTIMIZER
        )
        return trained and self.grad_at(value) is Grad.ON

    def carried(self, loop: Loop) -> Iterator[tuple[ast.Call, ast.Name, bool]]:
        """A module's output that a training loop gives back to the module in its next round with the
        graph behind it: `out, hidden = rnn(x, hidden)`. True where the module's text is known, and
        does not cut the graph by itself."""
        for call in self.below(loop.node, ast.Call):
            statement = self.statement(call)
            if not isinstance(statement, ast.Assign) or statement.value is not call:
                continue
            if self.around(call, *LOOPS) is not loop.node or not self._keeps_state(call):
                continue
            stored = {
                n.id for t in statement.targets for n in ast.walk(t) if isinstance(n, ast.Name)
            }
            for name in [a for a in call.args if isinstance(a, ast.Name) and a.id in stored]:
                if not self._renewed(name, statement, loop):
                    yield call, name, self.value_of(call.func) != Value(Kind.MODULE)

    def fed_back(self, line: int) -> frozenset[str]:
        """The names that the loop around a line makes of themselves: `hidden = cell(x, hidden)`."""
        around = [loop for kind in LOOPS for loop in self.on_line(line, kind)]
        loop = max(around, key=lambda loop: loop.lineno, default=None)
        found: set[str] = set()
        for made in self.below(loop, ast.Assign) if loop is not None else ():
            names = [n for t in made.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            read = names_in(made.value)
            found |= {name.id for name in names} & read
        return frozenset(found)

    def kept_from_itself(self) -> frozenset[str]:
        """The attributes of `self` that a statement makes of themselves, `self.h = self.cell(x, self.h)`, and
        none detaches."""
        found: set[str] = set()
        for made in self.of(ast.Assign):
            named = [n for t in made.targets for n in ast.walk(t)]
            found |= _of_self(named) & _of_self(ast.walk(made.value))
        cuts = self.method_calls("detach", "detach_")
        for statement in filter(None, map(self.statement, cuts)):
            found -= {n.attr for n in ast.walk(statement) if isinstance(n, ast.Attribute)}
        return frozenset(found)

    def handed_on(self, line: int) -> str:
        """The one state that the loop around a line gives to a call, and takes from it for the next round
        as nothing else makes it: `out, hidden = model(x, hidden)`."""
        around = [loop for loop in self.loops if self._covers(loop.node, line)]
        loop = max(around, key=lambda loop: loop.node.lineno, default=None)
        found = [
            argument.id
            for made in (self.below(loop.node, ast.Assign) if loop is not None else ())
            for argument in getattr(made.value, "args", ())
            if isinstance(argument, ast.Name) and argument.id in self.fed_back(line)
            if loop is not None and not self._renewed(argument, made, loop)
        ]
        return found[0] if len(found) == 1 else ""

    def _keeps_state(self, call: ast.Call) -> bool:
        """Whether what is called is a module that does not detach by itself, as far as is known."""
        module = self.value_of(call.func)
        if module.kind is not Kind.MODULE:
            return False
        if module.definition is None:
            return not module.dotted or module.dotted in RECURRENT
        return not self._detaches(module.definition)

    def _detaches(self, module: Definition) -> bool:
        """Whether a class frees something of its graph somewhere."""
        inside = module.code.below(module.node, ast.Attribute)
        return any(each.attr.startswith(("detach", "data")) for each in inside)

    def _renewed(self, name: ast.Name, by: ast.stmt, loop: Loop) -> bool:
        """Whether a loop gives a name another value than a statement does, or frees it of its graph."""
        inside = [b for b in self.bindings(name) if self.within(b.node, loop.node)]
        if any(self.statement(b.node) is not by for b in inside):
            return True
        uses = [n for n in self.below(loop.node, ast.Name) if n.id == name.id]
        texts = [ast.unparse(self.parent[n]) for n in uses]
        return any(word in text for text in texts for word in ("detach", "repackage", ".data"))

    def overwrites(self, scope: ast.AST) -> Iterator[tuple[ast.AST, ast.expr | None]]:
        """What changes a tensor in place below a node, and the tensor where it has a name."""
        for node in self.below(scope, ast.AugAssign, ast.Assign, ast.Call):
            match node:
                case ast.AugAssign(target=target):
                    if self.kind_of(target) is Kind.TENSOR or isinstance(target, ast.Subscript):
                        yield node, target
                case ast.Assign(targets=[ast.Subscript(value=holder)]):
                    if self.kind_of(holder) is Kind.TENSOR:
                        yield node, holder
                case ast.Call(func=ast.Attribute(attr=name, value=holder)) if name.endswith(
                    "_"
                ) and not name.endswith("__"):
                    if name not in IN_PLACE_BY_NATURE and self.kind_of(holder) is not Kind.MODULE:
                        yield node, holder
                case ast.Call(keywords=keywords):
                    if any(k.arg == "inplace" and self.is_true(k.value) for k in keywords):
                        yield node, node.args[0] if node.args else None

    @property
    def steps_called(self) -> list[ast.Call]:
        """The calls of the file that step an optimizer, no scheduler or environment."""
        return [c for c in self.method_calls("step") if self.act_of(c) is Act.STEP]

    def function_on(self, line: int) -> ast.FunctionDef | None:
        """The innermost function around a line."""
        return next(iter(self.on_line(line, ast.FunctionDef)[::-1]), None)

    def changes_before(self, line: int) -> list[tuple[ast.AST, ast.expr | None]]:
        """What changed tensors in place before a line, in its function and in the forwards of the file:
        in-place operations and optimizer steps, in source order."""
        home = self.function_on(line)
        found: list[tuple[ast.AST, ast.expr | None]] = [
            *self.overwrites(self.tree),
            *((call, None) for call in self.steps_called),
        ]
        return sorted(
            (change for change in found if self._comes_before(change[0], line, home)),
            key=lambda change: self.position(change[0]),
        )

    def _comes_before(self, node: ast.AST, line: int, home: Function | None) -> bool:
        function = self.function_around(node)
        if function is home:
            return self.position(node)[0] < line or self._in_last_round_of(node, line)
        return function is not None and function.name == "forward"

    def _in_last_round_of(self, node: ast.AST, line: int) -> bool:
        """Whether a loop around a line comes back to it after a node."""
        loops = [a for a in self.ancestors(node) if isinstance(a, LOOPS)]
        return any(self._covers(loop, line) for loop in loops)

    def is_true(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and node.value is True


def _of_self(nodes: Iterable[ast.AST]) -> set[str]:
    return {
        n.attr
        for n in nodes
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self"
    }
