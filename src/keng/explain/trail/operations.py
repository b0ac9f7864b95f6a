"""Operations of torch's on meta tensors, recorded as steps."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from keng.explain.trail.scope import UNKNOWN, Scope
from keng.explain.trail.steps import Failed, Step, Stopped, Unknown
from keng.explain.trail.values import Values
from keng.explain.trail.whitelist import OPERATORS, SIGNS

LONGEST_NAME = 30


class Operations:
    """`deepest` is the level of the last frame outside of torch: only there an operation may fail as the
    program's did."""

    def __init__(self, torch: Any, values: Values, deepest: int) -> None:
        self._torch = torch
        self._values = values
        self._deepest = deepest

    def operated(self, name: str, left: Any, right: Any, node: ast.expr, scope: Scope) -> Any:
        function = OPERATORS.get(name)
        if function is None:
            raise Unknown
        left, right = self._values.copies.of(left), self._values.copies.of(right)
        tensors = [v for v in (left, right) if self._values.is_tensor(v)]
        if not tensors:
            big = any(type(v) is int and abs(v) > 10**15 for v in (left, right))
            if big or (name in ("Mult", "Pow") and type(left) is not int and type(right) is str):
                raise Unknown
            return self._values.plainly(function, left, right)
        if not (self._values.is_plain(left) and self._values.is_plain(right)):
            raise Unknown
        return self.leaf(function, [left, right], {}, node, scope, SIGNS.get(name, name))

    def collapsed(
        self, run: Callable[[], Any], given: list[Any], node: ast.expr, scope: Scope, name: str = ""
    ) -> Any:
        """A call that is one step for its caller."""
        made = run()
        self._record(node, scope, name or name_of(node), given, made)
        return made

    def leaf(
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
            args = [self._values.copies.of(each) for each in args]
            kwargs = {key: self._values.copies.of(each) for key, each in kwargs.items()}
            with self._torch.no_grad(), self._torch._C.DisableTorchFunction():
                made = self._values.copies.own(function(*args, **kwargs))
        except (Unknown, Stopped):
            raise
        except Exception:
            last = scope.activation is not None and scope.activation.level == self._deepest
            if last and scope.is_at(node):
                operands = tuple(self._values.tensors([*args, *kwargs.values(), *more]))
                raise Failed(node, name, called or function, operands) from None
            raise Unknown from None
        self._record(node, scope, name, [*args, *kwargs.values(), *more], made)
        return self._values.new(made) if type(made) is list else made

    def _record(self, node: ast.expr, scope: Scope, name: str, given: list[Any], made: Any) -> None:
        if scope.activation is None:
            return
        inputs = tuple(self._values.tensors(given))
        came = {id(each) for each in inputs}
        outputs = tuple(each for each in self._values.tensors([made]) if id(each) not in came)
        if outputs:
            scope.activation.steps.append(
                Step(node, scope.statement, scope.file, name, inputs, outputs)
            )


def name_of(node: ast.expr) -> str:
    """What is called, as the user writes it, without `self.`."""
    func = node.func if isinstance(node, ast.Call) else node
    name = ast.unparse(func).removeprefix("self.")
    return name if len(name) <= LONGEST_NAME else name.rpartition(".")[2][:LONGEST_NAME]
