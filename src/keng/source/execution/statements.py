"""Runs statements: every method says whether control leaves the block."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from keng.source.execution.events import Block, Did, Node, Repeat, Round
from keng.source.execution.expressions import Expressions
from keng.source.execution.heap import Heap
from keng.source.execution.machine import MISSING, Frame, Machine
from keng.source.execution.modules import Modules
from keng.source.execution.values import (
    NONE,
    Class,
    Constant,
    Function,
    Object,
    Phi,
    Role,
    Scope,
    Symbol,
    Tensor,
    Value,
    fresh,
    leaves,
)
from keng.source.tree import Function as FunctionNode

UNROLLED = 4
"""Items of a sequence that a loop is run for one by one."""
MAKES = re.compile(r"(_*(get|build|create|make|load|init|setup|prepare)(_|(?=[A-Z])|$))|$")
"""How functions are called that make what they give; a value without a name matches as well."""
NETWORK = re.compile(r"(^|_)(model|net|network)$")
EXITS = frozenset({"exit", "quit", "_exit"})


class Statements:
    def __init__(
        self, machine: Machine, modules: Modules, heap: Heap, expressions: Expressions
    ) -> None:
        self._machine = machine
        self._modules = modules
        self._heap = heap
        self._expressions = expressions
        self._conditions = machine.conditions
        self._by_type: dict[type[ast.stmt], Callable[[Any], bool]] = {
            ast.Expr: self._expression,
            ast.Import: self._import,
            ast.ImportFrom: self._import,
            ast.Global: self._declaration,
            ast.Nonlocal: self._declaration,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.ClassDef: self._class,
            ast.Return: self._return,
            ast.Raise: lambda node: machine.leave("raise"),
            ast.Break: lambda node: machine.leave("break"),
            ast.Continue: lambda node: machine.leave("continue"),
            ast.Assert: self._assertion,
            ast.Assign: self._assignment,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._if,
            ast.Match: self._match,
            ast.Try: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
        }

    def run(self, body: Sequence[ast.stmt]) -> bool:
        for statement in body:
            self._machine.tick()
            execute = self._by_type.get(type(statement))
            if execute is not None and execute(statement):
                return True
        return False

    def _expression(self, node: ast.Expr) -> bool:
        if isinstance(node.value, ast.Constant):
            return False
        self._machine.evaluate(node.value)
        function = node.value.func if isinstance(node.value, ast.Call) else None
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        return self._machine.leave("raise") if name in EXITS else False

    def _import(self, node: ast.Import | ast.ImportFrom) -> bool:
        for name, value in self._modules.imported(node):
            self._machine.write(self._machine.frame.scope.values, name, value)
        return False

    def _declaration(self, node: ast.Global | ast.Nonlocal) -> bool:
        self._machine.frame.scope.outer.update(node.names)
        return False

    def _function(self, node: FunctionNode) -> bool:
        frame = self._machine.frame
        made = Function(node, frame.home, frame.scope, frame.owner)
        self._machine.write(frame.scope.values, node.name, made)
        return False

    def _class(self, node: ast.ClassDef) -> bool:
        outer = self._machine.frame
        bases = [self._machine.evaluate(base) for base in node.bases]
        made = Class(node, outer.home, bases)
        frame = Frame(Scope(outer.scope), outer.home, made)
        with self._machine.running_call(frame, node, node):
            self.run([each for each in node.body if not isinstance(each, ast.Expr)])
        made.fields = frame.scope.values
        for value in made.fields.values():
            if isinstance(value, Function) and value.owner is made:
                value.scope = outer.scope
        self._machine.write(outer.scope.values, node.name, made)
        return False

    def _return(self, node: ast.Return) -> bool:
        value = self._machine.evaluate(node.value) if node.value is not None else NONE
        frame = self._machine.frame
        frame.returned.append((list(frame.path), value))
        return self._machine.leave("return")

    def _assertion(self, node: ast.Assert) -> bool:
        self._machine.evaluate(node.test)
        return False

    # Assignments

    def _assignment(self, node: ast.Assign) -> bool:
        value = self._machine.evaluate(node.value)
        for target in node.targets:
            self.assign(target, value)
        return False

    def _annotated(self, node: ast.AnnAssign) -> bool:
        if node.value is not None:
            self.assign(node.target, self._machine.evaluate(node.value))
        return False

    def _augmented(self, node: ast.AugAssign) -> bool:
        before = self._machine.evaluate(_loaded(node.target))
        given = self._machine.evaluate(node.value)
        if isinstance(before, Object) and before.role is Role.SEQUENCE:
            self._heap.grow(before, given)
            return False
        value = self._expressions.operate(type(node.op).__name__, before, given)
        if isinstance(before, Tensor):
            value = self._machine.changed(before, value)
        if isinstance(node.op, ast.Add) and isinstance(before, Symbol):
            self._record_kept(before, given, value, node)
        self.assign(node.target, value)
        return False

    def _record_kept(self, before: Symbol, given: Value, value: Value, node: ast.AST) -> None:
        """A total that the loop carries from iteration to iteration takes a tensor with its graph."""
        grows = any(each.gradient.sources for each in self._machine.tensors([given]))
        if before.operator == "carried" and grows and self._machine.records:
            self._machine.record(Did.KEPT, [given, value], node, Constant(before.how[1]))

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign_name(target, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        elif isinstance(target, ast.Attribute):
            self._assign_attribute(target, value)
        elif isinstance(target, ast.Subscript):
            whole, at = self._machine.evaluate(target.value), self._machine.evaluate(target.slice)
            self._heap.store(whole, at, value)

    def _assign_name(self, target: ast.Name, value: Value) -> None:
        scope: Scope | None = self._machine.frame.scope
        if scope is not None and target.id in scope.outer:
            scope = scope.up
            while scope is not None and target.id not in scope.values and scope.up is not None:
                scope = scope.up
        if scope is None:
            return
        _name(value, target.id)
        self._heap.replaced(scope.values.get(target.id), value, target)
        self._machine.write(scope.values, target.id, value)

    def _assign_attribute(self, target: ast.Attribute, value: Value) -> None:
        of = self._machine.evaluate(target.value)
        if target.attr == "grad":
            cleared = isinstance(value, Constant) and value.value is None
            self._machine.record(Did.ZERO_GRAD if cleared else Did.GRADIENT_SET, [of], target)
        elif target.attr == "requires_grad":
            self._learn(of, self._conditions.truth(value))
        elif target.attr != "data":
            _name(value, target.attr)
            self._heap.set_attribute(of, target.attr, value, target)

    def _learn(self, of: Value, learns: Value) -> None:
        """`x.requires_grad = True`."""
        if isinstance(of, Tensor) and not (isinstance(learns, Constant) and not learns.value):
            of.gradient = of.gradient._replace(sources=of.gradient.sources | {of.number})

    def _unpack(self, target: ast.Tuple | ast.List, value: Value) -> None:
        starred = any(isinstance(each, ast.Starred) for each in target.elts)
        known = value.items if isinstance(value, Object) and not value.fields else None
        for n, each in enumerate(target.elts):
            if not starred and known is not None and len(known) == len(target.elts):
                self.assign(each, known[n])
            else:
                self.assign(each, self._heap.item(value, Constant(None if starred else n)))

    # Branches

    def _if(self, node: ast.If) -> bool:
        condition = self._conditions.truth(self._machine.evaluate(node.test))
        yes, no = self._machine.branch(
            condition, lambda: self.run(node.body), lambda: self.run(node.orelse)
        )
        if (yes or no) and not (yes and no) and not isinstance(condition, Constant):
            rest = self._conditions.negation(condition) if yes else condition
            self._machine.frame.path.append(rest)
        return yes and no

    def _match(self, node: ast.Match) -> bool:
        self._machine.evaluate(node.subject)

        def cases(n: int) -> bool:
            if n == len(node.cases):
                return False
            body = node.cases[n].body
            left = self._machine.branch(
                self._conditions.test(), lambda: self.run(body), lambda: cases(n + 1)
            )
            return all(left)

        return cases(0)

    def _try(self, node: ast.Try) -> bool:
        handlers = [h for h in node.handlers if not isinstance(h.body[-1], ast.Raise)]
        if handlers:
            left = all(
                self._machine.branch(
                    self._conditions.symbol("failed", fresh()),
                    lambda: self.run(handlers[0].body),
                    lambda: self.run(node.body) or self.run(node.orelse),
                )
            )
        else:
            left = self.run(node.body) or self.run(node.orelse)
        return self.run(node.finalbody) or left

    def _with(self, node: ast.With | ast.AsyncWith) -> bool:
        with ExitStack() as stack:
            for item in node.items:
                value = self._machine.evaluate(item.context_expr)
                state = value.fields.get("records") if isinstance(value, Object) else None
                if isinstance(value, Object) and isinstance(state, Value):
                    how = value.dotted.rpartition(".")[2]
                    stack.enter_context(self._machine.recorded(state, item.context_expr, how))
                if item.optional_vars is not None:
                    inner = value.fields.get("as") if isinstance(value, Object) else None
                    self.assign(item.optional_vars, inner or value)
            return self.run(node.body)

    # Loops

    def _for(self, node: ast.For | ast.AsyncFor) -> bool:
        over = self._machine.evaluate(node.iter)
        items = _known_items(over)
        if items is not None and len(items) <= UNROLLED:
            return self._unrolled(node, items)
        loaders = self._heap.loaders(over)
        if loaders:
            self._machine.record(Did.EPOCH_BEGIN, loaders, node)

        def begin() -> None:
            self.assign(node.target, self._heap.element(over))
            if loaders:
                self._machine.record(Did.BATCH, loaders, node)

        self._repeated(node, begin)
        return False

    def _unrolled(self, node: ast.For | ast.AsyncFor, items: tuple[Value, ...]) -> bool:
        with self._machine.on_course() as course:
            for item in items:
                with self._machine.on_course() as one:
                    self.assign(node.target, item)
                    depth = len(self._machine.frame.path)
                    self.run(node.body)
                    del self._machine.frame.path[depth:]
                course.append(Block("continue", one))
        self._machine.course.append(Block("break", course))
        return False

    def _while(self, node: ast.While) -> bool:
        test = self._conditions.truth(self._machine.evaluate(node.test))
        if isinstance(test, Constant) and not test.value:
            return False
        self._repeated(node, lambda: None)
        return False

    def _repeated(
        self, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], None]
    ) -> None:
        """Runs the body once, with what it changes unknown from the beginning."""
        birth = fresh()
        self._carry(node, birth)
        mark = self._machine.mark()
        course = self._iteration(node, begin, birth)
        if self._forget_changes(mark, birth):
            course = self._iteration(node, begin, birth)
        if course:
            self._machine.course.append(Repeat(course, birth))
        self.run(node.orelse)

    def _iteration(self, node: Any, begin: Callable[[], None], birth: int) -> list[Node]:
        depth = len(self._machine.frame.path)
        self._machine.loops.append(Round(node, birth))
        try:
            with self._machine.on_course() as course:
                begin()
                self.run(node.body)
        finally:
            self._machine.loops.pop()
            del self._machine.frame.path[depth:]
        return course

    def _carry(self, node: ast.stmt, birth: int) -> None:
        """Names and attributes that the body adds to are unknown when an iteration begins."""
        for each in self._machine.here.descendants(node, ast.AugAssign):
            target = each.target
            if isinstance(target, ast.Name):
                scope = self._machine.frame.scope
                if _is_plain(scope.values.get(target.id)):
                    self._machine.write(scope.values, target.id, self._carried(birth, target.id))
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                of = self._machine.evaluate(target.value)
                if isinstance(of, Object) and _is_plain(of.fields.get(f".{target.attr}")):
                    carried = self._carried(birth, target.attr)
                    self._machine.write(of.fields, f".{target.attr}", carried)

    def _carried(self, birth: int, name: str) -> Symbol:
        return self._conditions.symbol("carried", birth, name, fresh(), name=name)

    def _forget_changes(self, mark: int, birth: int) -> bool:
        """Whether the body changed plain values that were there before it; they are unknown then."""
        found = False
        for at, (store, before, now) in self._machine.changes(mark).items():
            if before is MISSING or not _is_plain(before) or before is now:
                continue
            if isinstance(before, Symbol) and before.operator == "carried":
                continue
            if isinstance(now, Tensor) or _is_plain(now):
                carried = self._carried(birth, str(at[1]).removeprefix("."))
                self._machine.write(store, at[1], carried)
                found = True
        return found


def _is_plain(value: object) -> bool:
    if isinstance(value, Phi):
        return all(isinstance(each, (Constant, Symbol)) for each in leaves(value))
    if isinstance(value, Constant):
        return value.value is not None
    return isinstance(value, Symbol)


def _known_items(over: Value) -> tuple[Value, ...] | None:
    """The items of a sequence that is written out."""
    if isinstance(over, Object) and over.role is Role.SEQUENCE and not over.fields:
        return over.items
    return None


def _name(value: Value, name: str) -> None:
    """Calls an unknown value what the program calls it, if all that is known is what made it:
    `model = get_network(options)`, `net = ENTRIES[name](options)`."""
    says_more = NETWORK.search(name) is not None
    if isinstance(value, Symbol) and value.operator in ("", "item"):
        value.name = name if says_more or MAKES.match(value.name) else value.name


def _loaded(target: ast.expr) -> ast.expr:
    """A target as an expression that is read."""
    fields = {name: getattr(target, name) for name in target._fields}
    return ast.copy_location(type(target)(**{**fields, "ctx": ast.Load()}), target)
