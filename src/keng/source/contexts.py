"""The sixth layer: under which gradient and train / eval mode a place in the program runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple, cast

from keng.source.index import FUNCTIONS, LOOPS, Function
from keng.source.names import Definition
from keng.source.origins import Origins
from keng.source.values import MODULES, Kind

DISABLES = ("torch.no_grad", "torch.inference_mode")
FRAMEWORK_LOOPS = (
    "pytorch_lightning.",
    "lightning.",
    "accelerate.",
    "transformers.",
    "fastai.",
    "ignite.",
    "catalyst.",
    "composer.",
    "skorch.",
)
"""Packages whose loops clear gradients, switch modes or disable gradients by themselves."""


class Grad(Enum):
    """Whether operations at a place are recorded for backward."""

    ON = "on"
    OFF = "off"
    UNKNOWN = "unknown"


class Module(NamedTuple):
    """The nn.Module class that a method belongs to, and how the method calls itself."""

    definition: ast.ClassDef
    self_name: str


class Contexts(Origins):
    def module_around(self, node: ast.AST) -> Module | None:
        """The module class whose method a node stands in."""
        function = self.function_around(node)
        while function is not None:
            owner = self.parent.get(function)
            if (
                isinstance(owner, ast.ClassDef)
                and self.is_method(function)
                and self.kind_of_class(owner) in MODULES
            ):
                arguments = self._arguments(function)
                return Module(owner, arguments[0].arg) if arguments else None
            function = self.function_around(function)
        return None

    def uses_framework(self) -> bool:
        """Whether the file leaves its loops to a framework (Lightning, Accelerate, ...)."""
        return any(
            binding.dotted.startswith(FRAMEWORK_LOOPS) or f"{binding.dotted}." in FRAMEWORK_LOOPS
            for found in self.scopes[self.tree].bindings.values()
            for binding in found
            if binding.how == "import"
        )

    def probed(self, node: ast.AST) -> bool:
        """Whether a node only tries whether something works: under `try` or `pytest.raises`."""
        for above in self.ancestors(node):
            if isinstance(above, ast.Try) and self._arm(node, above) == "body":
                return True
            if isinstance(above, ast.With) and any(
                "raises" in ast.unparse(i.context_expr) for i in above.items
            ):
                return True
            if isinstance(above, FUNCTIONS):
                return False
        return False

    def under_training_test(self, node: ast.AST) -> bool:
        """Whether a node runs only where an `if` or `and` asked for `.training` or a flag so named."""
        for above in self.ancestors(node):
            if isinstance(above, FUNCTIONS):
                return self._returns_early_unless_training(above, node)
            test = getattr(above, "test", None) if isinstance(above, (ast.If, ast.IfExp)) else None
            if isinstance(above, ast.BoolOp):
                test = above
            if test is not None and any(self._says_training(n) for n in ast.walk(test)):
                return True
        return False

    def _returns_early_unless_training(self, function: Function, node: ast.AST) -> bool:
        for statement in function.body:
            if self.within(node, statement):
                return False
            leaves = isinstance(statement, ast.If) and isinstance(
                statement.body[-1], (ast.Return, ast.Raise)
            )
            if leaves and any(
                self._says_training(n) for n in ast.walk(cast(ast.If, statement).test)
            ):
                return True
        return False

    def _says_training(self, node: ast.AST) -> bool:
        name = (
            node.attr
            if isinstance(node, ast.Attribute)
            else node.id
            if isinstance(node, ast.Name)
            else ""
        )
        return name in ("training", "train", "is_training", "is_train", "istrain")

    # gradients

    def grad_at(self, node: ast.AST, depth: int = 6) -> Grad:
        """Whether autograd records at a node: with-blocks and decorators around it, a switch thrown
        before it, and, from inside a function, the places that call it."""
        for above in self.ancestors(node):
            if isinstance(above, (ast.With, ast.AsyncWith)):
                for item in reversed(above.items):
                    if (state := self._switched(item.context_expr)) is not None:
                        return state
            if isinstance(above, FUNCTIONS):
                return self._grad_in(above, node, depth)
        return Grad.OFF if self._thrown_before(node, self.tree) else Grad.ON

    def _grad_in(self, function: Function, node: ast.AST, depth: int) -> Grad:
        for decorator in function.decorator_list:
            if (state := self._switched(decorator)) is not None:
                return state
        if self._thrown_before(node, function):
            return Grad.OFF
        calls = self.callers(function) if depth else []
        states = {code.grad_at(call, depth - 1) for code, call in calls}
        if not states:
            return Grad.ON
        return states.pop() if len(states) == 1 else Grad.UNKNOWN

    def _switched(self, expression: ast.expr) -> Grad | None:
        """What a context manager or decorator does to gradients; None where it does nothing to them."""
        call = expression if isinstance(expression, ast.Call) else None
        dotted = self.resolve(call.func if call else expression)
        if dotted in DISABLES:
            flag = call.args[0] if call and call.args else None
            if flag is None and call:
                flag = next((k.value for k in call.keywords if k.arg == "mode"), None)
            return Grad.OFF if flag is None else self._flag(flag, on=Grad.OFF, off=Grad.ON)
        if dotted == "torch.enable_grad":
            return Grad.ON
        if (
            dotted
            in (
                "torch.set_grad_enabled",
                "torch.autograd.set_grad_enabled",
                "torch.autograd.grad_mode.set_grad_enabled",
            )
            and call
            and call.args
        ):
            return self._flag(call.args[0], on=Grad.ON, off=Grad.OFF)
        name = ast.unparse(call.func if call else expression).rpartition(".")[2]
        if not dotted.startswith("torch.") and ("no_grad" in name or "inference_mode" in name):
            return Grad.OFF
        if isinstance(expression, ast.IfExp) or (
            call is None and isinstance(expression, ast.Name) and not dotted
        ):
            return Grad.UNKNOWN  # `with ctx:` may be anything
        return None

    def _flag(self, flag: ast.expr, on: Grad, off: Grad) -> Grad:
        if isinstance(flag, ast.Constant):
            return on if flag.value else off
        return Grad.UNKNOWN

    def _thrown_before(self, node: ast.AST, scope: ast.AST) -> bool:
        """Whether `torch.set_grad_enabled(False)` stands as a statement before a node."""
        for call in self.calls_to("torch.set_grad_enabled"):
            if not isinstance(self.parent[call], ast.Expr) or not call.args:
                continue
            outside = self.function_around(call)
            same = outside is None or outside is scope
            if (
                same
                and self.position(call) < self.position(node)
                and isinstance(call.args[0], ast.Constant)
            ):
                return not call.args[0].value
        return False

    # calls

    def calls_to(self, *dotted: str) -> Iterator[ast.Call]:
        """Calls of functions or classes by their dotted names."""
        for name in dotted:
            last = name.rpartition(".")[2]
            for written in (last, *self._renamed.get(last, ())):
                yield from (
                    c for c in self.calls_by_name.get(written, ()) if self.resolve(c.func) == name
                )

    @cached_property
    def _renamed(self) -> dict[str, set[str]]:
        """Last part of a name -> what else the file calls it: `import ... as`, `CE = nn.CrossEntropyLoss`."""
        found: dict[str, set[str]] = {}
        for imports in self.of(ast.ImportFrom):
            for alias in imports.names:
                if alias.asname:
                    found.setdefault(alias.name, set()).add(alias.asname)
        for assigned in self.of(ast.Assign):
            match assigned:
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Attribute(attr=last) | ast.Name(id=last)
                ):
                    found.setdefault(last, set()).add(name)
        return {last: names - {last} for last, names in found.items()}

    def method_calls(self, *names: str) -> Iterator[ast.Call]:
        """Calls `anything.NAME(...)`."""
        for name in names:
            yield from (
                c for c in self.calls_by_name.get(name, ()) if isinstance(c.func, ast.Attribute)
            )

    def loss_calls(self, *dotted: str) -> Iterator[ast.Call]:
        """Calls that compute one of these losses, as a function or through a criterion."""
        yield from self.calls_to(
            *(name for name in dotted if name.startswith("torch.nn.functional."))
        )
        for call in self.of(ast.Call):
            if len(call.args) + len(call.keywords) == 2 and self._may_be_criterion(call.func):
                value = self.value_of(call.func)
                if value.dotted in dotted and value.kind is Kind.CRITERION:
                    yield call

    def _may_be_criterion(self, function: ast.expr) -> bool:
        """Whether a callee is an instance at all, told without asking for its kind."""
        if isinstance(function, ast.Attribute):
            return isinstance(function.value, ast.Name) and not self.resolve(function)
        return isinstance(function, (ast.Name, ast.Call)) and not self.resolve(function)

    def argument(self, call: ast.Call, name: str, position: int | None = None) -> ast.expr | None:
        """An argument by keyword or position. A `*args` or `**kwargs` may hold it: then that is given."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        spread = [k.value for k in call.keywords if k.arg is None]
        for n, given in enumerate(call.args):
            if isinstance(given, ast.Starred) or n == position:
                return given
        return spread[0] if spread else None

    # modes

    def mode_at(self, model: ast.expr, node: ast.AST, depth: int = 4) -> str:
        """ "train", "eval" or "" (not known): what `.train()` or `.eval()` was called last on a model
        before a node, in its function and in the callers of that."""
        text = ast.unparse(model)
        function = self.function_around(node)
        scope: ast.AST = function or self.tree
        last = ""
        for call in self._switches(scope):
            if self.position(call) >= self.position(node):
                break
            if self._receives(call, text) and not self._exclusive(call, node):
                last = self._switch(call)
        if last or function is None or not depth:
            return last or self._in_last_round(text, node)
        return self._mode_from_callers(model, function, depth)

    def _mode_from_callers(self, model: ast.expr, function: Function, depth: int) -> str:
        root = text_root(model)
        modes = set()
        for code, call in self.callers(function):
            given = code.passed(call, function, root) if root else None
            if given is not None and isinstance(model, ast.Name):
                modes.add(code.mode_at(given, call, depth - 1))
            elif (
                root == "self"
                and isinstance(call.func, ast.Attribute)
                and ast.unparse(call.func.value) == "self"
            ) or (given is None and isinstance(model, ast.Name) and self._is_global(model)):
                modes.add(code.mode_at(model, call, depth - 1))
            else:
                modes.add("")
        return modes.pop() if len(modes) == 1 else ("" if not modes else "mixed")

    def _is_global(self, name: ast.Name) -> bool:
        scope = self.lookup(name)
        return scope is not None and scope.node is self.tree

    def _switches(self, scope: ast.AST) -> list[ast.Call]:
        calls = [
            c
            for c in self.method_calls("train", "eval")
            if (self.function_around(c) or self.tree) is scope
        ]
        return sorted(calls, key=self.position)

    def _receives(self, call: ast.Call, text: str) -> bool:
        receiver = ast.unparse(cast(ast.Attribute, call.func).value)
        return (
            text == receiver
            or text.startswith(f"{receiver}.")
            or receiver in (f"{text}.module", text.removesuffix(".module"))
        )

    def _switch(self, call: ast.Call) -> str:
        if cast(ast.Attribute, call.func).attr == "eval":
            return "eval"
        flag = call.args[0] if call.args else next((k.value for k in call.keywords), None)
        if flag is None:
            return "train"
        return ("train" if flag.value else "eval") if isinstance(flag, ast.Constant) else "mixed"

    def _in_last_round(self, text: str, node: ast.AST) -> str:
        """A switch later in a loop holds when its next round begins; only that one exists: mixed."""
        loops = [a for a in self.ancestors(node) if isinstance(a, LOOPS)]
        for loop in loops:
            for call in self._switches(self.function_around(node) or self.tree):
                if self.within(call, loop) and self._receives(call, text):
                    return "mixed"
        return ""

    def mode_layers_of_class(
        self, definition: Definition | None, depth: int = 4
    ) -> set[str] | None:
        """Layers of a project's module that act differently in train and eval mode (Dropout,
        BatchNorm ...), by class name; None where its parts are not all known."""
        if definition is None or not isinstance(definition.node, ast.ClassDef):
            return None
        code, found, known = definition.code, set[str](), True
        for given in code.attributes(definition.node).values():
            for value, _ in given:
                inner = code._mode_layers_of(value, depth)
                known &= inner is not None
                found |= inner or set()
        for base in code.bases(definition.node):
            inner = code.mode_layers_of_class(base, depth - 1) if depth else None
            known &= inner is not None
            found |= inner or set()
        return found if found or known else None

    def _mode_layers_of(self, value: ast.expr | None, depth: int) -> set[str] | None:
        """The same for one expression that builds a layer."""
        if value is None:
            return set()
        found: set[str] = set()
        for call in [n for n in ast.walk(value) if isinstance(n, ast.Call)]:
            made = self.value_of(call)
            if made.definition is not None and made.kind is Kind.MODULE and depth:
                inner = self.mode_layers_of_class(made.definition, depth - 1)
                if inner is None:
                    return None
                found |= inner
            elif made.kind is Kind.MODULE and not made.dotted.startswith("torch.nn."):
                return None
            elif acts_by_mode(made.dotted, call):
                found.add(made.dotted.rpartition(".")[2])
        return found


def acts_by_mode(dotted: str, call: ast.Call) -> bool:
    name = dotted.removeprefix("torch.nn.")
    if "Dropout" in name and dotted.startswith("torch.nn."):
        p = (
            call.args[0]
            if call.args
            else next((k.value for k in call.keywords if k.arg == "p"), None)
        )
        return not (isinstance(p, ast.Constant) and p.value == 0)
    return dotted.startswith("torch.nn.") and "BatchNorm" in name


def text_root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
