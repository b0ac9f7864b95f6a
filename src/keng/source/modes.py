"""A layer of Code: the train / eval mode of a model at a place, and the layers that heed it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from keng.source.contexts import Contexts
from keng.source.index import LOOPS, Function
from keng.source.names import Definition
from keng.source.tables import MODULE_CHAIN
from keng.source.values import MODULES, Kind, Value, two_of

if TYPE_CHECKING:
    from keng.source.code import Code

DEEPEST = 4
PUBLISHED = (
    (
        re.compile(
            r"torchvision\.models\.(?:\w+\.)?(?:\w*resne[x]?t|densenet|mobilenet|mnasnet|shufflenet|"
            r"googlenet|inception|efficientnet|regnet|vgg\d+_bn)"
        ),
        ("BatchNorm2d",),
    ),
    (re.compile(r"torchvision\.models\.(?:\w+\.)?(?:alexnet|vgg|squeezenet)"), ("Dropout",)),
)
"""Families of published models and the layers in them that heed the mode."""


class Modes(Contexts):
    def mode_at(self, model: ast.expr, node: ast.AST, depth: int = DEEPEST) -> str:
        """ "train", "eval", "" (not known) or "mixed": what `.train()` or `.eval()` was called last
        on a model before a node, in its function, in those that this calls, and in its callers."""
        text = ast.unparse(model)
        function = self.function_around(node)
        last = self._last_mode(text, function or self.tree, node, depth)
        if last or function is None or not depth:
            return last or self._in_last_round(text, node)
        return self._mode_from_callers(model, function, depth)

    def _last_mode(self, text: str, scope: ast.AST, before: ast.AST | None, depth: int) -> str:
        """The mode that a model, given as text, is in after the calls of a scope."""
        last = ""
        for call in self.below(scope, ast.Call):
            if self.body_around(call) is not scope:
                continue
            if before is not None and self.position(call) >= self.position(before):
                break
            if before is None or not self._exclusive(call, before):
                last = self._mode_after(call, text, depth) or last
        return last

    def _mode_after(self, call: ast.Call, text: str, depth: int) -> str:
        """The mode that one call leaves a model in; "" where it does not touch it."""
        function = self.definition(call.func)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        switches = name in ("train", "eval") and self._receives(call, text)
        if switches and (function is None or self._is_modules(function)):
            return self._switch(call)
        if function is not None and not isinstance(function.node, ast.ClassDef):
            return self._mode_left(call, function.code, function.node, text, depth) if depth else ""
        return ""

    def _is_modules(self, method: Definition) -> bool:
        """Whether a method is one of a module, whose own `train` stands for that of nn.Module."""
        owner = method.code.parent.get(method.node)
        return isinstance(owner, ast.ClassDef) and method.code.kind_of_class(owner) in MODULES

    def _mode_left(
        self, call: ast.Call, code: Code, function: Function, text: str, depth: int
    ) -> str:
        """The mode that a function of the project leaves a model in, under the name it has there."""
        for argument in code.arguments(function):
            given = code.passed(call, function, argument.arg)
            if given is not None and ast.unparse(given) == text:
                return code.me._last_mode(argument.arg, function, None, depth - 1)
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if owner is not None and code.is_method(function):
            part = text.removeprefix(f"{ast.unparse(owner)}.")
            mine = f"{code.arguments(function)[0].arg}.{part}" if part != text else ""
            return code.me._last_mode(mine, function, None, depth - 1) if mine else ""
        if code is self.me and "." not in text:
            return self._last_mode(text, function, None, depth - 1)
        return ""

    def _mode_from_callers(self, model: ast.expr, function: Function, depth: int) -> str:
        if self.is_called_widely(function):
            return "mixed"
        calls = self.callers(function)
        modes = two_of(self._mode_for(model, function, *each, depth - 1) for each in calls)
        return modes.pop() if len(modes) == 1 else ("" if not modes else "mixed")

    def _mode_for(
        self, model: ast.expr, function: Function, code: Code, call: ast.Call, depth: int
    ) -> str:
        """The mode of a model of a function where a call of it stands."""
        root = text_root(model)
        given = code.passed(call, function, root) if root else None
        if given is not None and isinstance(model, ast.Name):
            return code.mode_at(given, call, depth)
        if (
            root == "self"
            and isinstance(call.func, ast.Attribute)
            and ast.unparse(call.func.value) == "self"
        ) or (given is None and isinstance(model, ast.Name) and self._is_global(model)):
            return code.mode_at(model, call, depth)
        return ""

    def _is_global(self, name: ast.Name) -> bool:
        scope = self.lookup(name)
        return scope is not None and scope.node is self.tree

    def _receives(self, call: ast.Call, text: str) -> bool:
        """Whether a switch is called on a model, given as text, or on what the model then is:
        `model = model.to(device).eval()`."""
        receiver = ast.unparse(unmoved(cast(ast.Attribute, call.func).value))
        match self.statement(call):
            case ast.Assign(targets=targets, value=value) if text in map(ast.unparse, targets):
                if self._is_chained(call, value):
                    return True
        return (
            text == receiver
            or text.startswith(f"{receiver}.")
            or receiver in (f"{text}.module", text.removesuffix(".module"))
        )

    def _is_chained(self, call: ast.Call, whole: ast.expr) -> bool:
        """Whether an expression is a call, or that and `.to(device)` and the like behind it."""
        part: ast.expr | None = whole
        while part is not None and part is not call:
            part = unmoved_once(part)
        return part is call

    def _switch(self, call: ast.Call) -> str:
        if cast(ast.Attribute, call.func).attr == "eval":
            return "eval"
        flag = call.args[0] if call.args else next((k.value for k in call.keywords), None)
        if flag is None:
            return "train"
        return ("train" if flag.value else "eval") if isinstance(flag, ast.Constant) else "mixed"

    def _in_last_round(self, text: str, node: ast.AST) -> str:
        """A switch later in a loop holds when its next round begins; where only such a one is there,
        the mode is mixed."""
        scope = self.body_around(node)
        loops = [a for a in self.ancestors(node) if isinstance(a, LOOPS)]
        later = [c for loop in loops for c in self.below(loop, ast.Call)]
        here = [c for c in later if self.body_around(c) is scope]
        return "mixed" if any(self._mode_after(c, text, 1) for c in here) else ""

    def switches(self, scope: ast.AST) -> list[ast.Call]:
        """The calls of `train()` and `eval()` in a scope itself, in order."""
        calls = self.method_calls("train", "eval")
        here = [c for c in calls if self.body_around(c) is scope]
        return sorted(here, key=self.position)

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
        for call in self._calls_building(value):
            made = self.value_of(call)
            inner: set[str] | None = None
            if made.definition is not None and made.kind is Kind.MODULE and depth:
                inner = self.mode_layers_of_class(made.definition, depth - 1)
            elif depth and self._built_elsewhere(call, made):
                inner = self._mode_layers_of(made.call, depth - 1)
            elif made.kind is not Kind.MODULE or made.dotted.startswith("torch.nn."):
                name = made.dotted.rpartition(".")[2]
                inner = {name} if acts_by_mode(made.dotted, call) else set()
            else:
                inner = published_layers(made.dotted)
            if inner is None:
                return None
            found |= inner
        return found

    def _built_elsewhere(self, call: ast.Call, made: Value) -> bool:
        """Whether a call gives a layer that a function of the same file builds."""
        built = made.call if made.kind is Kind.MODULE else None
        return built is not None and built is not call and built in self.parent

    def _calls_building(self, value: ast.expr) -> Iterator[ast.Call]:
        """The calls in an expression that builds a layer, and in what fills the lists that it takes whole."""
        parts: list[ast.expr | None] = [value]
        for node in ast.walk(value):
            match node:
                case ast.Call(func=ast.Attribute(attr="children", value=ast.Name() as whole)):
                    parts += [binding.value for binding in self.bindings(whole)]
                case ast.Starred(value=ast.Name(id=name) as listed):
                    parts += [binding.value for binding in self.bindings(listed)]
                    for call in self.me.method_calls("append"):
                        parts += call.args if ast.unparse(self.me.receiver(call)) == name else []
        yield from (
            n for p in parts if p is not None for n in ast.walk(p) if isinstance(n, ast.Call)
        )


def published_layers(dotted: str) -> set[str] | None:
    """The layers of a published model that heed the mode; None where it is not known."""
    return next((set(kept) for of, kept in PUBLISHED if of.match(dotted)), None)


def acts_by_mode(dotted: str, call: ast.Call) -> bool:
    """Whether a layer of torch acts differently in train and eval mode, as it is made."""
    if not dotted.startswith("torch.nn."):
        return False
    name, given = dotted.removeprefix("torch.nn."), {k.arg: k.value for k in call.keywords}
    if "Dropout" in name:
        return not is_number(call.args[0] if call.args else given.get("p"), 0)
    if name in ("LSTM", "GRU", "RNN"):  # drops between its layers only
        layers = call.args[2] if len(call.args) > 2 else given.get("num_layers")
        single = layers is None or is_number(layers, 1)
        return "dropout" in given and not single and not is_number(given["dropout"], 0)
    if name in ("Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer"):
        return len(call.args) < 4 and not is_number(given.get("dropout"), 0)
    return "BatchNorm" in name


def is_number(node: ast.expr | None, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def unmoved(node: ast.expr) -> ast.expr:
    """A model without the `.to(device)` and the like around it, which give the model itself."""
    while (inner := unmoved_once(node)) is not None:
        node = inner
    return node


def unmoved_once(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(attr=name, value=model)) if name in MODULE_CHAIN:
            return model
    return None


def text_root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
