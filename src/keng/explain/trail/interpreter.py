"""Evaluates the statements of a function on meta tensors.

Only torch's functions and layers are called, on copies that have no values; functions of the program and of
libraries are followed statement by statement in the same way, so that none of their code runs and none of
their objects changes.
"""

from __future__ import annotations

import ast
import inspect
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

from keng.explain.ownership.paths import is_torch
from keng.explain.reasons import evaluation
from keng.explain.reasons.evaluation import attribute, attributes, is_a
from keng.explain.reasons.source import Function as FunctionNode
from keng.explain.reasons.source import Sources
from keng.explain.trail.meta import MetaCopies, is_torchs
from keng.explain.trail.scope import UNKNOWN, Scope, names_of, stored_in
from keng.explain.trail.steps import Activation, Failed, Function, Overlay, Step, Stopped, Unknown
from keng.explain.trail.whitelist import (
    FACTORIES,
    FORBIDDEN,
    KEEPS_SHAPE,
    METHODS,
    OF_TENSORS,
    OPERATORS,
    OWN_METHODS,
    PLAIN,
    SIGNS,
    computes,
    is_builtin,
    is_plain_math,
)

LIMIT_SECONDS = 2.0  # of CPU time, which a busy machine does not shorten
LIMIT_NODES = 60_000
MOST_DEPTH = 24
MOST_ROUNDS = 400
LONGEST_NAME = 30


class _Returned(Exception):  # noqa: N818
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class _Continued(Exception):  # noqa: N818
    """`continue`."""


class _Broken(Exception):  # noqa: N818
    """`break`."""


class Interpreter:
    """Follows the frames of one traceback, outermost first; `lines` are where they were."""

    def __init__(
        self,
        torch: Any,
        frames: Sequence[FrameType],
        lines: Sequence[int],
        sources: Sources,
    ) -> None:
        self.copies = MetaCopies(torch)
        self._torch = torch
        self._frames = frames
        self._lines = lines
        self._sources = sources
        self._overlays: dict[tuple[int, str], Overlay] = {}
        self._lists: dict[int, Any] = {}
        self._deepest = max(
            (n for n, f in enumerate(frames) if not is_torch(f.f_code.co_filename)), default=0
        )
        self._end = time.thread_time() + LIMIT_SECONDS
        self._left = LIMIT_NODES
        self._depth = 0

    # ---- functions

    def enter(
        self, level: int, code: CodeType, names: Mapping[str, Any], given: dict[str, Any]
    ) -> Any:
        """Follows the function of a frame from its inputs. Raises Failed, Stopped or Unknown."""
        given = {name: self._made(value) for name, value in given.items()}
        tensors = {n: v for n, v in given.items() if is_a(v, self._torch.Tensor)}
        activation = Activation(level, _qualified(code, given), code.co_filename, tensors)
        frame, line = self._frames[level], self._lines[level]
        scope = Scope(self._node(code), given, names, code.co_filename, frame, line, activation)
        try:
            return self._body_of(scope.node, scope)
        except Failed as failed:
            failed.activations.append(activation)
            raise

    def _body_of(self, node: FunctionNode, scope: Scope) -> Any:
        if isinstance(node, ast.Lambda):
            return self._value(node.body, scope)
        self._depth += 1
        try:
            if self._depth > MOST_DEPTH:
                raise Stopped
            self._block(node.body, scope)
        except _Returned as returned:
            return returned.value
        finally:
            self._depth -= 1
        return None

    def _node(self, code: CodeType) -> FunctionNode:
        source = self._sources.read(code.co_filename)
        tree = source.tree(code.co_firstlineno) if source is not None else None
        for node in tree.nodes if tree is not None else ():
            if isinstance(node, ast.FunctionDef | ast.Lambda) and _is_code_of(node, code):
                return node
        raise Unknown

    def _follow(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], scope: Scope, node: ast.expr
    ) -> Any:
        """A call of a function in Python, of the program or of a library."""
        if is_torch(function.__code__.co_filename) and not _is_context(function):
            raise Unknown
        while is_torch(function.__code__.co_filename) and hasattr(function, "__wrapped__"):
            function = function.__wrapped__  # `torch.no_grad()` around it
            if type(function) is not FunctionType:
                raise Unknown
        try:
            bound = inspect.signature(function, follow_wrapped=False).bind(*args, **kwargs)
        except (TypeError, ValueError):
            raise Unknown from None
        bound.apply_defaults()
        level = self._level_below(function, scope, node)
        if level is not None:
            code, names = function.__code__, names_of(function)
            return self.enter(level, code, names, dict(bound.arguments))
        inner = Scope(
            self._node(function.__code__),
            {name: self._made(value) for name, value in bound.arguments.items()},
            names_of(function),
            function.__code__.co_filename,
        )
        return self._body_of(inner.node, inner)

    def _level_below(self, function: FunctionType, scope: Scope, node: ast.AST) -> int | None:
        """The level of the traceback that a call may lead to."""
        if scope.activation is None or not scope.is_at(node):
            return None
        for level in range(scope.activation.level + 1, len(self._frames)):
            code = self._frames[level].f_code
            if code is function.__code__:
                return level
            if not is_torch(code.co_filename):
                return None
        return None

    # ---- statements

    def _block(self, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        scope.statement = node
        match node:
            case ast.Return(value=value):
                raise _Returned(None if value is None else self._or_unknown(value, scope))
            case ast.If():
                self._if(node, scope)
            case ast.For():
                self._for(node, scope)
            case ast.While():
                self._while(node, scope)
            case ast.With(items=items, body=body):
                for item in items:
                    if item.optional_vars is not None:
                        self._forget(item.optional_vars, scope)
                self._block(body, scope)
            case ast.Try(body=body, orelse=orelse, finalbody=final):
                self._block([*body, *orelse, *final], scope)
            case ast.FunctionDef(name=name):
                scope.names[name] = Function(node, scope)
            case ast.Continue():
                raise _Continued
            case ast.Break():
                raise _Broken
            case ast.Raise():
                raise Stopped
            case ast.Pass() | ast.Global() | ast.Nonlocal() | ast.Assert():
                pass
            case _:
                self._simple(node, scope)

    def _simple(self, node: ast.stmt, scope: Scope) -> None:
        """A statement that computes and binds."""
        try:
            match node:
                case ast.Assign(targets=targets, value=value):
                    made = self._value(value, scope)
                    for target in targets:
                        self._bind(target, made, scope, node)
                case ast.AnnAssign(target=target, value=value) if value is not None:
                    self._bind(target, self._value(value, scope), scope, node)
                case ast.AugAssign(target=target, op=op, value=value):
                    before = self._value(_loaded(target), scope)
                    made = self._operated(
                        type(op).__name__, before, self._value(value, scope), value, scope
                    )
                    self._bind(target, made, scope, node)
                case ast.Expr(value=value):
                    self._value(value, scope)
                case _:
                    raise Unknown
        except Unknown:
            self._forget(node, scope)

    def _forget(self, node: ast.AST, scope: Scope) -> None:
        """Binds the names of a statement to what the live frame holds, else to the unknown."""
        for name in stored_in(node):
            try:
                scope.names[name] = self._made(scope.alive(name, node))
            except Unknown:
                scope.names[name] = UNKNOWN
            else:
                self._note(node, name, scope)

    def _note(self, node: ast.AST, name: str, scope: Scope) -> None:
        value = scope.names[name]
        activation = scope.activation if isinstance(node, ast.stmt) else None
        if activation is not None and is_a(value, self._torch.Tensor):
            activation.bound.append((name, value))

    def _bind(self, target: ast.expr, value: Any, scope: Scope, node: ast.stmt) -> None:
        match target:
            case ast.Name(id=name):
                scope.names[name] = value
                self._note(node, name, scope)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for each, part in zip(targets, self._parts(value, len(targets)), strict=True):
                    self._bind(each, part, scope, node)
            case ast.Attribute(value=owner, attr=name):
                with suppress(Unknown):
                    of = self._value(owner, scope)
                    self._overlays[id(of), name] = Overlay(of, value)
            case ast.Subscript(value=owner, slice=index):
                self._store(owner, index, value, scope)
            case ast.Starred():
                raise Unknown

    def _store(self, owner: ast.expr, index: ast.expr, value: Any, scope: Scope) -> None:
        """Only into what was made here."""
        of, at = self._value(owner, scope), self._value(index, scope)
        if id(of) in self._lists or self.copies.is_own(of):
            with suppress(Exception):
                of[at] = value

    def _parts(self, value: Any, count: int) -> list[Any]:
        if is_a(value, self._torch.Tensor):
            parts = list(value.unbind(0)) if value.ndim and value.shape[0] == count else []
            self.copies.own(parts)
        else:
            parts = list(self._elements(value))
        if len(parts) != count:
            raise Unknown
        return parts

    def _if(self, node: ast.If, scope: Scope) -> None:
        try:
            holds = self._truth(self._value(node.test, scope))
        except Unknown:
            if scope.is_in(node.body):
                holds = True
            elif scope.is_in(node.orelse) or _leaves(node.body):
                holds = False
            elif _leaves(node.orelse):
                holds = True
            else:
                self._forget(node, scope)
                return
        self._block(node.body if holds else node.orelse, scope)

    def _for(self, node: ast.For, scope: Scope) -> None:
        try:
            rounds = list(self._elements(self._value(node.iter, scope)))
        except Unknown:
            if not scope.is_in(node.body):
                self._forget(node, scope)
                return
            self._forget(node.target, scope)
            self._round(node.body, scope)
            raise Stopped from None  # the round that failed did not fail here
        if len(rounds) > MOST_ROUNDS:
            raise Stopped
        for each in rounds:
            self._bind(node.target, self._made(each), scope, node)
            if self._round(node.body, scope):
                return
        self._block(node.orelse, scope)

    def _while(self, node: ast.While, scope: Scope) -> None:
        for _ in range(MOST_ROUNDS):
            try:
                if not self._truth(self._value(node.test, scope)):
                    return
            except Unknown:
                if not scope.is_in(node.body):
                    self._forget(node, scope)
                    return
            if self._round(node.body, scope):
                return
        raise Stopped

    def _round(self, body: list[ast.stmt], scope: Scope) -> bool:
        """Whether the loop was left."""
        try:
            self._block(body, scope)
        except _Continued:
            return False
        except _Broken:
            return True
        return False

    # ---- expressions

    def _or_unknown(self, node: ast.expr, scope: Scope) -> Any:
        try:
            return self._value(node, scope)
        except Unknown:
            return UNKNOWN

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        """Raises Unknown."""
        self._left -= 1
        if self._left < 0 or time.thread_time() > self._end:
            raise Stopped
        value = self._evaluated(node, scope)
        if value is UNKNOWN:
            raise Unknown
        return self._made(value)

    def _made(self, value: Any) -> Any:
        """With the copy of a tensor in its place."""
        return self.copies.of(value) if is_a(value, self._torch.Tensor) else value

    def _new(self, value: Any) -> Any:
        """A container made here, which may be changed."""
        self._lists[id(value)] = value
        return value

    def _evaluated(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return scope.load(name)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Subscript(value=owner, slice=index):
                return self._item(node, self._value(owner, scope), index, scope)
            case ast.Slice(lower=lower, upper=upper, step=step):
                return slice(*(e and self._value(e, scope) for e in (lower, upper, step)))
            case ast.Tuple(elts=elements):
                return tuple(self._spread(elements, scope))
            case ast.List(elts=elements):
                return self._new(list(self._spread(elements, scope)))
            case ast.Dict(keys=keys, values=values) if None not in keys:
                given = zip(keys, values, strict=True)
                return self._new(
                    {self._value(k, scope): self._or_unknown(v, scope) for k, v in given if k}
                )
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._value(body if self._truth(self._value(test, scope)) else orelse, scope)
            case ast.Lambda():
                return Function(node, scope)
            case ast.NamedExpr(target=target, value=value):
                scope.names[target.id] = self._value(value, scope)
                return scope.names[target.id]
        return self._computed(node, scope)

    def _computed(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._truth(self._value(operand, scope))
            case ast.UnaryOp(op=op, operand=operand):
                return self._plainly(OPERATORS[type(op).__name__], self._value(operand, scope))
            case ast.BoolOp(op=op, values=values):
                return self._logic(isinstance(op, ast.And), values, scope)
            case ast.BinOp(left=left, op=op, right=right):
                pair = self._value(left, scope), self._value(right, scope)
                return self._operated(type(op).__name__, *pair, node, scope)
            case ast.Compare():
                return self._compared(node, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
                return self._new(list(self._comprehension(node.generators, [element], scope)))
            case ast.DictComp(key=key, value=value):
                pairs = self._comprehension(node.generators, [key, value], scope)
                return self._new(dict(pairs))
            case ast.JoinedStr():
                return ""
        raise Unknown

    def _spread(self, elements: list[ast.expr], scope: Scope) -> Iterator[Any]:
        for each in elements:
            if isinstance(each, ast.Starred):
                yield from self._elements(self._value(each.value, scope))
            else:
                yield self._or_unknown(each, scope)

    def _logic(self, every: bool, values: list[ast.expr], scope: Scope) -> Any:
        value = None
        for each in values:
            value = self._value(each, scope)
            if self._truth(value) != every:
                return value
        return value

    def _compared(self, node: ast.Compare, scope: Scope) -> Any:
        left = self._value(node.left, scope)
        result: Any = True
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._value(comparator, scope)
            result = self._comparison(op, left, right, node, scope)
            if result is False:
                return False
            left = right
        return result

    def _comparison(
        self, op: ast.cmpop, left: Any, right: Any, node: ast.expr, scope: Scope
    ) -> Any:
        match op:
            case ast.Is():
                return left is right
            case ast.IsNot():
                return left is not right
            case ast.In() | ast.NotIn():
                there = any(_same(left, each) for each in self._elements(right))
                return there == isinstance(op, ast.In)
        return self._operated(type(op).__name__, left, right, node, scope)

    def _comprehension(
        self,
        generators: list[ast.comprehension],
        elements: list[ast.expr],
        scope: Scope,
    ) -> Iterator[Any]:
        first, *rest = generators
        rounds = list(self._elements(self._value(first.iter, scope)))
        if len(rounds) > MOST_ROUNDS:
            raise Stopped
        kept = dict(scope.names)
        for each in rounds:
            self._bind(first.target, self._made(each), scope, ast.Pass())
            if all(self._truth(self._value(test, scope)) for test in first.ifs):
                if rest:
                    yield from self._comprehension(rest, elements, scope)
                elif len(elements) == 1:
                    yield self._value(elements[0], scope)
                else:
                    yield tuple(self._value(e, scope) for e in elements)
        scope.names.clear()
        scope.names.update(kept)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        owner = self._value(node.value, scope)
        return self._attribute_of(owner, node, scope)

    def _attribute_of(self, owner: Any, node: ast.Attribute, scope: Scope) -> Any:
        name = node.attr
        known = self._overlays.get((id(owner), name))
        if known is not None and known.owner is owner:
            return known.value
        if is_a(owner, self._torch.Tensor):
            if name not in OF_TENSORS:
                raise Unknown
            if name in ("shape", "dtype", "ndim", "device", "itemsize"):
                return getattr(owner, name)
            return self._leaf(lambda x: getattr(x, name), [owner], {}, node, scope, name)
        try:
            return attribute(owner, name)
        except evaluation.Unknown:
            return self._property(owner, node, scope)

    def _property(self, owner: Any, node: ast.Attribute, scope: Scope) -> Any:
        found = inspect.getattr_static(type(owner), node.attr, None)
        if type(found) is property and type(found.fget) is FunctionType:
            return self._follow(found.fget, [owner], {}, scope, node)
        if type(found) is FunctionType:
            return MethodType(found, owner)
        if type(found) is staticmethod:
            return found.__func__
        if type(found) is classmethod:
            return MethodType(found.__func__, type(owner))
        raise Unknown

    def _item(self, node: ast.Subscript, owner: Any, index: ast.expr, scope: Scope) -> Any:
        at = self._value(index, scope)
        if is_a(owner, self._torch.Tensor):
            at = self.copies.of(at)
            name = f"[{ast.unparse(node).rpartition('[')[2]}"
            return self._leaf(lambda x: x[at], [owner], {}, node, scope, name, at)
        if type(owner) in (list, tuple, str, range) or evaluation.is_shape(owner):
            return self._plainly(lambda value: value[at], owner)
        if type(owner) is dict and type(at) in PLAIN and at in owner:
            return owner[at]
        parts = attributes(owner).get("_modules") if is_torchs(type(owner)) else None
        if type(parts) is dict:
            return self._part(parts, at, owner)
        raise Unknown

    def _part(self, parts: dict[str, Any], at: Any, owner: Any) -> Any:
        """Of a ModuleList, a ModuleDict or a Sequential."""
        if type(at) is str and at in parts:
            return parts[at]
        if type(at) is int and -len(parts) <= at < len(parts):
            return list(parts.values())[at]
        if type(at) is slice:
            return list(parts.values())[at]
        raise Unknown

    def _elements(self, value: Any) -> Iterator[Any]:
        """What a loop over it gives. Raises Unknown."""
        kind = type(value)
        if (
            kind in (list, tuple, set, frozenset, range, dict, str, zip, enumerate)
            or evaluation.is_shape(value)
            or kind in evaluation.VIEWS
            or kind.__name__ == "reversed"
        ):
            yield from value
        elif is_a(value, self._torch.Tensor):
            if not value.ndim or value.shape[0] > MOST_ROUNDS:
                raise Unknown
            yield from self.copies.own(list(value.unbind(0)))
        elif is_torchs(kind) and kind.__name__ in ("ModuleList", "Sequential"):
            yield from list(attributes(value)["_modules"].values())
        else:
            raise Unknown

    def _truth(self, value: Any) -> bool:
        kind = type(value)
        if kind in (*PLAIN, list, tuple, dict, set, frozenset, FunctionType, type):
            return bool(value)
        if evaluation.is_shape(value):
            return tuple.__len__(value) > 0
        if is_a(value, self._torch.nn.Module):
            parts = attributes(value).get("_modules")
            return bool(parts) if kind.__name__ in ("ModuleList", "ModuleDict") else True
        raise Unknown

    def _plainly(self, function: Callable[..., Any], *values: Any) -> Any:
        """Of values whose operators run no code of the program."""
        for each in values:
            if not self._is_plain(each):
                raise Unknown
        try:
            return self.copies.own(function(*values))
        except Exception:
            raise Unknown from None

    def _is_plain(self, value: Any) -> bool:
        if type(value) in PLAIN or self.copies.is_own(value) or evaluation.is_shape(value):
            return True
        if type(value) in (list, tuple):
            return all(self._is_plain(each) or is_a(each, self._torch.nn.Module) for each in value)
        torch = self._torch
        return type(value) in (torch.dtype, torch.device, torch.layout, torch.memory_format)

    def _operated(self, name: str, left: Any, right: Any, node: ast.expr, scope: Scope) -> Any:
        function = OPERATORS.get(name)
        if function is None:
            raise Unknown
        left, right = self.copies.of(left), self.copies.of(right)
        tensors = [v for v in (left, right) if is_a(v, self._torch.Tensor)]
        if not tensors:
            big = any(type(v) is int and abs(v) > 10**15 for v in (left, right))
            if big or (name in ("Mult", "Pow") and type(left) is not int and type(right) is str):
                raise Unknown
            return self._plainly(function, left, right)
        if not (self._is_plain(left) and self._is_plain(right)):
            raise Unknown
        return self._leaf(function, [left, right], {}, node, scope, SIGNS.get(name, name))

    # ---- calls

    def _call(self, node: ast.Call, scope: Scope) -> Any:
        args = list(self._spread(node.args, scope))
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                extra = self._value(keyword.value, scope)
                if type(extra) is not dict:
                    raise Unknown
                kwargs |= extra
            else:
                kwargs[keyword.arg] = self._or_unknown(keyword.value, scope)
        if isinstance(node.func, ast.Attribute):
            owner = self._value(node.func.value, scope)
            if is_a(owner, self._torch.Tensor):
                return self._method(owner, node.func.attr, args, kwargs, node, scope)
            if type(owner) in METHODS:
                return self._of_container(owner, node.func.attr, args, kwargs)
            called = self._attribute_of(owner, node.func, scope)
        else:
            called = self._value(node.func, scope)
        return self._called(called, args, kwargs, node, scope)

    def _called(
        self, called: Any, args: list[Any], kwargs: dict[str, Any], node: ast.Call, scope: Scope
    ) -> Any:
        if is_a(called, self._torch.nn.Module):
            return self._module(called, args, kwargs, node, scope)
        if type(called) is Function:
            return self._local(called, args, kwargs)
        if computes(called):
            if called.__name__ in FACTORIES:
                kwargs = {**kwargs, "device": "meta"}
                kwargs = {k: v for k, v in kwargs.items() if k not in ("pin_memory", "generator")}
            return self._leaf(called, args, kwargs, node, scope, called.__name__)
        if is_builtin(called):
            return self._builtin(called, args, kwargs)
        if is_plain_math(called):
            return self._plainly(called, *args)
        if type(called) is MethodType and type(called.__func__) is FunctionType:
            return self._followed(called.__func__, [called.__self__, *args], kwargs, node, scope)
        if type(called) is FunctionType:
            if called.__module__ == "torch.utils.checkpoint" and called.__name__ == "checkpoint":
                return self._called(args[0], args[1:], {}, node, scope)
            return self._followed(called, args, kwargs, node, scope)
        raise Unknown

    def _followed(
        self,
        called: FunctionType,
        args: list[Any],
        kwargs: dict[str, Any],
        node: ast.Call,
        scope: Scope,
    ) -> Any:
        return self._collapsed(
            lambda: self._follow(called, args, kwargs, scope, node),
            [*args, *kwargs.values()],
            node,
            scope,
        )

    def _collapsed(
        self, run: Callable[[], Any], given: list[Any], node: ast.expr, scope: Scope, name: str = ""
    ) -> Any:
        """A call that is one step for its caller."""
        made = run()
        self._record(node, scope, name or _name_of(node), given, made)
        return made

    def _local(self, called: Function, args: list[Any], kwargs: dict[str, Any]) -> Any:
        node, outer = called
        parameters = [a.arg for a in node.args.args]
        if len(args) > len(parameters) or node.args.vararg or node.args.kwarg:
            raise Unknown
        given = {**dict(zip(parameters, args, strict=False)), **kwargs}
        defaults = node.args.defaults
        for name, default in zip(
            parameters[len(parameters) - len(defaults) :], defaults, strict=True
        ):
            if name not in given:
                given[name] = self._value(default, outer)
        names = {**outer.names, **given}
        return self._body_of(node, Scope(node, names, outer.outer, outer.file))

    def _module(
        self, module: Any, args: list[Any], kwargs: dict[str, Any], node: ast.Call, scope: Scope
    ) -> Any:
        name = _name_of(node)
        if is_torchs(type(module)):
            if type(module).__name__ == "Sequential" and len(args) == 1:
                return self._sequential(module, args[0], node, scope)
            try:
                layer = self.copies.layer(module)
            except Unknown:
                layer = None
            if layer is not None:
                forward = type(module).forward
                return self._leaf(
                    lambda *a, **k: forward(layer, *a, **k),
                    args,
                    kwargs,
                    node,
                    scope,
                    name,
                    called=module,
                )
        forward = inspect.getattr_static(type(module), "forward", None)
        if type(forward) is not FunctionType or "forward" in attributes(module):
            raise Unknown
        return self._collapsed(
            lambda: self._follow(forward, [module, *args], kwargs, scope, node),
            [*args, *kwargs.values()],
            node,
            scope,
        )

    def _sequential(self, module: Any, value: Any, node: ast.Call, scope: Scope) -> Any:
        for index, part in attributes(module)["_modules"].items():
            call = ast.copy_location(
                ast.Call(ast.Subscript(node.func, ast.Constant(_number(index))), [], []), node
            )
            value = self._module(part, [value], {}, call, scope)
        return value

    def _method(
        self,
        owner: Any,
        name: str,
        args: list[Any],
        kwargs: dict[str, Any],
        node: ast.Call,
        scope: Scope,
    ) -> Any:
        if name in FORBIDDEN or name.startswith("_"):
            raise Unknown
        if name in KEEPS_SHAPE:
            dtypes = [v for v in [*args, *kwargs.values()] if type(v) is self._torch.dtype]
            return self.copies.own(owner.to(dtypes[0])) if name == "to" and dtypes else owner
        if name in (
            "size",
            "dim",
            "numel",
            "nelement",
            "ndimension",
            "is_floating_point",
            "stride",
        ):
            return self._plainly(lambda *a: getattr(owner, name)(*a, **kwargs), *args)
        if name.startswith("new_"):
            kwargs = {**kwargs, "device": "meta"}
        return self._leaf(
            lambda x, *a, **k: getattr(x, name)(*a, **k), [owner, *args], kwargs, node, scope, name
        )

    def _of_container(self, owner: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        own = id(owner) in self._lists
        kind: Any = type(owner)
        names = METHODS[kind] + (f" {OWN_METHODS.get(kind, '')}" if own else "")
        plain = own or all(map(self._is_plain, [*args, *kwargs.values()]))
        searched = name in ("index", "count") and not self._is_plain(owner)
        if name not in names.split() or not plain or searched:
            raise Unknown
        try:
            made = getattr(owner, name)(*args, **kwargs)
        except Exception:
            raise Unknown from None
        return self._new(made) if name == "copy" else made

    def _builtin(self, called: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        name = called.__name__
        if any(value is UNKNOWN for value in [*args, *kwargs.values()]):
            raise Unknown
        if name == "isinstance":
            return self._is_instance(*args)
        if name == "type" and len(args) == 1:
            return type(args[0])
        if name == "len":
            return self._length(args[0])
        if name in ("list", "tuple", "zip", "enumerate", "reversed", "dict", "set"):
            if name == "dict":
                return self._new(dict(*args, **kwargs))
            listed = [
                list(self._elements(a)) if n == 0 or name == "zip" else a
                for n, a in enumerate(args)
            ]
            if name == "set" and not all(map(self._is_plain, listed[0] if listed else ())):
                raise Unknown
            made = called(*listed, **kwargs)
            return self._new(made) if name in ("list", "set") else made
        if name == "sum" and any(is_a(v, self._torch.Tensor) for v in self._elements(args[0])):
            raise Unknown
        return self._plainly(lambda *a: called(*a, **kwargs), *args)

    def _is_instance(self, value: Any, kinds: Any) -> bool:
        listed = kinds if type(kinds) is tuple else (kinds,)
        if not all(is_a(kind, type) for kind in listed):
            raise Unknown
        return any(kind in type(value).__mro__ for kind in listed)

    def _length(self, value: Any) -> int:
        if is_torchs(type(value)):
            return len(attributes(value)["_modules"])
        try:
            return evaluation.length(value)
        except evaluation.Unknown:
            raise Unknown from None

    def _leaf(
        self,
        function: Callable[..., Any],
        args: list[Any],
        kwargs: dict[str, Any],
        node: ast.expr,
        scope: Scope,
        name: str,
        *more: Any,
        called: Any = None,
    ) -> Any:
        """An operation of torch's, which may fail as the program's did. Raises Failed, Unknown."""
        if any(value is UNKNOWN for value in [*args, *kwargs.values()]):
            raise Unknown
        try:
            args = [self.copies.of(each) for each in args]
            kwargs = {key: self.copies.of(each) for key, each in kwargs.items()}
            with self._torch.no_grad(), self._torch._C.DisableTorchFunction():
                made = self.copies.own(function(*args, **kwargs))
        except (Unknown, Stopped):
            raise
        except Exception:
            last = scope.activation is not None and scope.activation.level == self._deepest
            if last and scope.is_at(node):
                operands = tuple(self._tensors([*args, *kwargs.values(), *more]))
                raise Failed(node, name, called or function, operands) from None
            raise Unknown from None
        self._record(node, scope, name, [*args, *kwargs.values(), *more], made)
        return self._new(made) if type(made) is list else made

    def _record(self, node: ast.expr, scope: Scope, name: str, given: list[Any], made: Any) -> None:
        if scope.activation is None:
            return
        inputs = tuple(self._tensors(given))
        came = {id(each) for each in inputs}
        outputs = tuple(each for each in self._tensors([made]) if id(each) not in came)
        if outputs:
            scope.activation.steps.append(
                Step(node, scope.statement, scope.file, name, inputs, outputs)
            )

    def _tensors(self, values: Any, depth: int = 0) -> Iterator[Any]:
        for each in values:
            if is_a(each, self._torch.Tensor):
                yield each
            elif type(each) in (list, tuple) and depth < 3:
                yield from self._tensors(each, depth + 1)
            elif is_a(each, tuple) and depth < 3:
                yield from self._tensors(tuple.__iter__(each), depth + 1)
            elif type(each) is dict and depth < 3:
                yield from self._tensors(each.values(), depth + 1)


def _qualified(code: CodeType, given: Mapping[str, Any]) -> str:
    """`Net.forward`."""
    owner = given.get("self")
    return f"{type(owner).__name__}.{code.co_name}" if owner is not None else code.co_name


def _is_code_of(node: ast.FunctionDef | ast.Lambda, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    generates = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
    return node.name == code.co_name and first == code.co_firstlineno and not generates


def _is_context(function: FunctionType) -> bool:
    """What `torch.no_grad()` and `torch.autocast()` make of a function."""
    return hasattr(function, "__wrapped__")


def _loaded(target: ast.expr) -> ast.expr:
    """The target of `x += 1`, to be read."""
    return ast.parse(ast.unparse(target), mode="eval").body


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)


def _same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if type(one) not in PLAIN or type(other) not in PLAIN:
        raise Unknown
    return bool(one == other)


def _name_of(node: ast.expr) -> str:
    """What is called, as the user writes it, without `self.`."""
    func = node.func if isinstance(node, ast.Call) else node
    name = ast.unparse(func).removeprefix("self.")
    return name if len(name) <= LONGEST_NAME else name.rpartition(".")[2][:LONGEST_NAME]


def _number(index: str) -> int | str:
    return int(index) if index.isdigit() else index
