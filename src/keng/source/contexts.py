"""A layer of Code: under which gradient and train / eval mode a place in the program runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple, cast

from keng.source.index import FUNCTIONS, Function
from keng.source.origins import Origins
from keng.source.values import MODULES, Kind, two_of

DISABLES = ("torch.no_grad", "torch.inference_mode")
FRAMEWORK_LOOPS = (
    "pytorch_lightning.",
    "lightning.",
    "transformers.Trainer.",
    "transformers.Seq2SeqTrainer.",
    "trl.",
    "fastai.",
    "ignite.",
    "catalyst.",
    "composer.",
    "skorch.",
)
"""Packages whose loops clear gradients, switch modes or disable gradients by themselves."""


MAY_EVALUATE = re.compile(r"eval|infer|ema|grad", re.IGNORECASE)
SWITCHES = re.compile(r"no_grad|inference_mode|set_grad_enabled")


class Grad(Enum):
    """Whether operations at a place are recorded for backward."""

    ON = "on"
    OFF = "off"
    UNKNOWN = "unknown"


class Module(NamedTuple):
    """The nn.Module class that a method belongs to, and how the method calls itself."""

    definition: ast.ClassDef
    self_name: str


def expects_an_error(block: ast.With) -> bool:
    """Whether a test says that a block raises: `pytest.raises`, `self.assertRaisesRegex`."""
    return any("raises" in ast.unparse(item.context_expr).lower() for item in block.items)


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
                arguments = self.arguments(function)
                return Module(owner, arguments[0].arg) if arguments else None
            function = self.function_around(function)
        return None

    def uses_framework(self) -> bool:
        """Whether the file leaves its loops to a framework (Lightning, the Trainer of Transformers)."""
        return self._uses_framework

    @cached_property
    def _uses_framework(self) -> bool:
        return self.imports(*FRAMEWORK_LOOPS)

    def imports(self, *packages: str) -> bool:
        """Whether the file imports one of these packages or names, given with a dot at the end, or
        something of them."""
        return any(f"{dotted}.".startswith(packages) for dotted in self._imported_names)

    @cached_property
    def _imported_names(self) -> set[str]:
        """The dotted names that the file imports at its top."""
        bound = self.scopes[self.tree].bindings.values()
        return {b.dotted for found in bound for b in found if b.how == "import"}

    def probed(self, node: ast.AST) -> bool:
        """Whether a node only tries whether something works: under `try` or `pytest.raises`."""
        for above in self.ancestors(node):
            if isinstance(above, ast.Try) and self._arm(node, above) == "body":
                return True
            if isinstance(above, ast.With) and expects_an_error(above):
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
                    if (state := self.switched(item.context_expr)) is not None:
                        return state
            if isinstance(above, FUNCTIONS):
                return self._grad_in(above, node, depth)
        return Grad.OFF if self._thrown_before(node, self.tree) else Grad.ON

    def _grad_in(self, function: Function, node: ast.AST, depth: int) -> Grad:
        for decorator in function.decorator_list:
            if (state := self.switched(decorator)) is not None:
                return state
        if self._thrown_before(node, function):
            return Grad.OFF
        if depth and self.is_called_widely(function):
            return Grad.UNKNOWN
        calls = self.callers(function) if depth else ()
        states = two_of(code.grad_at(call, depth - 1) for code, call in calls)
        if not states:
            return Grad.ON
        return states.pop() if len(states) == 1 else Grad.UNKNOWN

    def switched(self, expression: ast.expr) -> Grad | None:
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
        if self._may_switch(expression, name):
            return Grad.UNKNOWN
        if isinstance(expression, ast.IfExp) or (
            call is None and isinstance(expression, ast.Name) and not dotted
        ):
            return Grad.UNKNOWN  # `with ctx:` may be anything
        return None

    def _may_switch(self, expression: ast.expr, name: str) -> bool:
        """Whether a context manager that is not torch's may disable gradients, by its text where the
        project has it, else by its name."""
        if not isinstance(expression, ast.Call) or self.resolve(expression.func).startswith(
            "torch."
        ):
            return False
        made = self.definition(expression.func)
        if made is None:
            return MAY_EVALUATE.search(name) is not None
        return SWITCHES.search(made.code.text_of(made.node)) is not None

    def _flag(self, flag: ast.expr, on: Grad, off: Grad) -> Grad:
        if isinstance(flag, ast.Constant):
            return on if flag.value else off
        return Grad.UNKNOWN

    def _thrown_before(self, node: ast.AST, scope: ast.AST) -> bool:
        """Whether `torch.set_grad_enabled(False)` stands as the last such statement before a node."""
        thrown = False
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
                thrown = not call.args[0].value
        return thrown

    # calls

    def calls_to(self, *dotted: str) -> Iterator[ast.Call]:
        """Calls of functions or classes by their dotted names."""
        for name in dotted:
            for call in self.calls_named(name.rpartition(".")[2]):
                if self.resolve(call.func) == name:
                    yield call

    def calls_named(self, last: str) -> list[ast.Call]:
        """Calls of what may have a dotted name with this last part."""
        named = self.calls_by_name.get(last, [])
        others = self._renamed.get(last, ())
        return [*named, *(c for other in others for c in self.calls_by_name.get(other, ()))]

    def calls_with(self, wanted: Callable[[str], bool]) -> Iterator[ast.Call]:
        """Calls of what may have a dotted name whose last part is one of those wanted."""
        stands_for: dict[str, list[str]] = {}
        for last, names in self._renamed.items():
            for written in names:
                stands_for.setdefault(written, []).append(last)
        for written, calls in self.calls_by_name.items():
            if any(map(wanted, (written, *stands_for.get(written, ())))):
                yield from calls

    def may_be_named(self, node: ast.expr, lasts: Collection[str]) -> bool:
        """Whether an expression may have a dotted name with one of these last parts."""
        written = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        return written in lasts or any(written in self._renamed.get(last, ()) for last in lasts)

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
        classes = [name for name in dotted if not name.startswith("torch.nn.functional.")]
        lasts = (name.rpartition(".")[2].encode() for name in classes)
        if any(self.project.says(last, self.path) for last in lasts):
            yield from (call for call, name in self._criterion_calls if name in classes)

    @cached_property
    def _criterion_calls(self) -> list[tuple[ast.Call, str]]:
        """The calls of criteria with two arguments, and the dotted names of their classes."""
        two = [call for call in self.of(ast.Call) if len(call.args) + len(call.keywords) == 2]
        made = [(c, self.value_of(c.func)) for c in two if self._may_be_criterion(c.func)]
        return [(call, value.dotted) for call, value in made if value.kind is Kind.CRITERION]

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
