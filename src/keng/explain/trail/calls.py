"""Calls: torch's functions and layers are computed, functions in Python are followed."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from keng.explain.reasons.evaluation import attributes, is_a
from keng.explain.trail.expressions import Expressions
from keng.explain.trail.meta import is_torchs
from keng.explain.trail.operations import Operations, name_of
from keng.explain.trail.scope import UNKNOWN, Scope
from keng.explain.trail.steps import Follow, Function, Unknown
from keng.explain.trail.values import Values
from keng.explain.trail.whitelist import (
    FACTORIES,
    FORBIDDEN,
    KEEPS_SHAPE,
    METHODS,
    OWN_METHODS,
    computes,
    is_builtin,
    is_plain_math,
)


class Calls:
    """`follow` runs through a function of the program or of a library, `run` through one that was defined
    inside of another."""

    def __init__(
        self,
        torch: Any,
        values: Values,
        operations: Operations,
        expressions: Expressions,
        follow: Follow,
        run: Callable[[ast.FunctionDef | ast.Lambda, Scope], Any],
    ) -> None:
        self._torch = torch
        self._values = values
        self._operations = operations
        self._expressions = expressions
        self._follow = follow
        self._run = run

    def call(self, node: ast.Call, scope: Scope) -> Any:
        args = list(self._expressions.spread(node.args, scope))
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                extra = self._expressions.value(keyword.value, scope)
                if type(extra) is not dict:
                    raise Unknown
                kwargs |= extra
            else:
                kwargs[keyword.arg] = self._expressions.or_unknown(keyword.value, scope)
        if isinstance(node.func, ast.Attribute):
            owner = self._expressions.value(node.func.value, scope)
            if self._values.is_tensor(owner):
                return self._method(owner, node.func.attr, args, kwargs, node, scope)
            if type(owner) in METHODS:
                return self._of_container(owner, node.func.attr, args, kwargs)
            called = self._expressions.attribute_of(owner, node.func, scope)
        else:
            called = self._expressions.value(node.func, scope)
        return self._called(called, args, kwargs, node, scope)

    def _called(
        self, called: Any, args: list[Any], kwargs: dict[str, Any], node: ast.Call, scope: Scope
    ) -> Any:
        if self._values.is_module(called):
            return self._module(called, args, kwargs, node, scope)
        if type(called) is Function:
            return self._local(called, args, kwargs)
        if computes(called):
            if called.__name__ in FACTORIES:
                kwargs = {**kwargs, "device": "meta"}
                kwargs = {k: v for k, v in kwargs.items() if k not in ("pin_memory", "generator")}
            return self._operations.leaf(called, args, kwargs, node, scope, called.__name__)
        if is_builtin(called):
            return self._builtin(called, args, kwargs)
        if is_plain_math(called):
            return self._values.plainly(called, *args)
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
        return self._operations.collapsed(
            lambda: self._follow(called, args, kwargs, scope, node),
            [*args, *kwargs.values()],
            node,
            scope,
        )

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
                given[name] = self._expressions.value(default, outer)
        names = {**outer.names, **given}
        return self._run(node, Scope(node, names, outer.outer, outer.file))

    def _module(
        self, module: Any, args: list[Any], kwargs: dict[str, Any], node: ast.Call, scope: Scope
    ) -> Any:
        name = name_of(node)
        if is_torchs(type(module)):
            if type(module).__name__ == "Sequential" and len(args) == 1:
                return self._sequential(module, args[0], node, scope)
            try:
                layer = self._values.copies.layer(module)
            except Unknown:
                layer = None
            if layer is not None:
                forward = type(module).forward
                return self._operations.leaf(
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
        return self._operations.collapsed(
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
            return (
                self._values.copies.own(owner.to(dtypes[0])) if name == "to" and dtypes else owner
            )
        if name in (
            "size",
            "dim",
            "numel",
            "nelement",
            "ndimension",
            "is_floating_point",
            "stride",
        ):
            return self._values.plainly(lambda *a: getattr(owner, name)(*a, **kwargs), *args)
        if name.startswith("new_"):
            kwargs = {**kwargs, "device": "meta"}
        return self._operations.leaf(
            lambda x, *a, **k: getattr(x, name)(*a, **k), [owner, *args], kwargs, node, scope, name
        )

    def _of_container(self, owner: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        own = self._values.is_new(owner)
        kind: Any = type(owner)
        names = METHODS[kind] + (f" {OWN_METHODS.get(kind, '')}" if own else "")
        plain = own or all(map(self._values.is_plain, [*args, *kwargs.values()]))
        searched = name in ("index", "count") and not self._values.is_plain(owner)
        if name not in names.split() or not plain or searched:
            raise Unknown
        try:
            made = getattr(owner, name)(*args, **kwargs)
        except Exception:
            raise Unknown from None
        return self._values.new(made) if name == "copy" else made

    def _builtin(self, called: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        name = called.__name__
        if any(value is UNKNOWN for value in [*args, *kwargs.values()]):
            raise Unknown
        if name == "isinstance":
            return self._is_instance(*args)
        if name == "type" and len(args) == 1:
            return type(args[0])
        if name == "len":
            return self._values.length(args[0])
        if name in ("list", "tuple", "zip", "enumerate", "reversed", "dict", "set"):
            if name == "dict":
                return self._values.new(dict(*args, **kwargs))
            listed = [
                list(self._values.elements(a)) if n == 0 or name == "zip" else a
                for n, a in enumerate(args)
            ]
            if name == "set" and not all(map(self._values.is_plain, listed[0] if listed else ())):
                raise Unknown
            made = called(*listed, **kwargs)
            return self._values.new(made) if name in ("list", "set") else made
        if name == "sum" and any(self._values.is_tensor(v) for v in self._values.elements(args[0])):
            raise Unknown
        return self._values.plainly(lambda *a: called(*a, **kwargs), *args)

    def _is_instance(self, value: Any, kinds: Any) -> bool:
        listed = kinds if type(kinds) is tuple else (kinds,)
        if not all(is_a(kind, type) for kind in listed):
            raise Unknown
        return any(kind in type(value).__mro__ for kind in listed)


def _number(index: str) -> int | str:
    return int(index) if index.isdigit() else index
