"""A layer of Code: how programs are started, switched and exported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from keng.source.edits import whole_number
from keng.source.extensions import Extensions
from keng.source.index import Function
from keng.source.names import Definition
from keng.source.values import Kind

STARTERS = ("subprocess.", "os.system", "os.popen", "os.exec", "os.spawn")
RESIZERS = (
    "torch.nn.functional.interpolate",
    "torch.nn.functional.upsample",
    "torch.nn.Upsample",
    "torch.nn.UpsamplingNearest2d",
    "torch.nn.UpsamplingBilinear2d",
)
REDUCES = frozenset({"sum", "mean", "max", "min", "norm", "item", "any", "all", "abs", "prod"})
"""Methods of a tensor whose result depends on its numbers, not on its shape alone."""


class Deployment(Extensions):
    # starting

    def reads_environment(self, name: str) -> bool:
        """Whether the file reads or sets a variable of the environment."""
        return any(
            isinstance(node.value, str) and node.value == name for node in self.of(ast.Constant)
        )

    def started_modules(self, module: str) -> Iterator[ast.Constant]:
        """Texts that name a module to be run, in a command that is given to another process or put
        together as a list."""
        for text in self.of(ast.Constant) if module.encode() in self.data else ():
            if not isinstance(text.value, str) or module not in text.value:
                continue
            listed = isinstance(self.parent.get(text), ast.List) and text.value == module
            call = self.around(text, ast.Call)
            if listed or (call is not None and self.resolve(call.func).startswith(STARTERS)):
                yield text

    def trained_in(self, *wrappers: str) -> Iterator[ast.Call]:
        """The calls of these wrappers whose result a training loop of this file calls."""
        for loop in self.training_loops:
            for call in self.below(loop.node, ast.Call):
                made = self.value_of(call.func)
                if made.dotted in wrappers and made.call is not None and made.call in self.parent:
                    yield made.call

    # switches

    def switched_on(self, dotted: str) -> Iterator[ast.Assign]:
        """Statements that set an attribute of torch to True."""
        for assign in self.of(ast.Assign):
            if self.is_constant(assign.value, True) and dotted in map(self.resolve, assign.targets):
                yield assign

    def asks_for_repetition(self, node: ast.stmt) -> bool:
        """Whether the function of a statement asks for deterministic results too, not only where the
        statement is not reached."""
        asked: list[ast.AST] = [*self.switched_on("torch.backends.cudnn.deterministic")]
        calls = self.calls_to("torch.use_deterministic_algorithms")
        asked += [call for call in calls if call.args and self.is_constant(call.args[0], True)]
        home = self.body_around(node)
        return any(
            self.body_around(each) is home and not self._exclusive(each, node) for each in asked
        )

    def is_on_cuda(self, node: ast.expr) -> bool:
        """Whether an expression is known to be made or moved to a CUDA device."""
        if isinstance(node, ast.Name):
            return self.on_cuda(node)
        return isinstance(node, ast.Call) and self.puts_on_cuda(node)

    # exporting

    def number(self, node: ast.expr | None) -> int | None:
        """The value of an expression of plain numbers, or of a name that is given one once."""
        if isinstance(node, ast.Name):
            node = self.assigned(node)
        return whole_number(node) if node is not None else None

    def resizes(self, export: ast.Call) -> bool:
        """Whether the file, or that of the model which is exported, resizes maps."""
        model = self.value_of(export.args[0]).definition if export.args else None
        codes = (self.me, model.code) if model is not None else (self.me,)
        return any(True for code in codes for _ in code.calls_to(*RESIZERS))

    def traced_branches(self) -> Iterator[tuple[ast.expr, str]]:
        """The tests on tensors, of `if` and `while`, in forwards of models that this file traces, as text;
        each with its place, or with the call that traces where that is in another file."""
        for call in self._traces():
            model = self.value_of(call.args[0]).definition if call.args else None
            forward = self.method(model, "forward") if model is not None else None
            if forward is None:
                continue
            for test in forward.code._tests_on_data(forward):
                own = test in self.parent
                yield test if own else call, forward.code.text_of(test)

    def _traces(self) -> Iterator[ast.Call]:
        yield from self.calls_to("torch.jit.trace")
        for call in self.calls_to("torch.onnx.export"):
            given = [k.value for k in call.keywords if k.arg == "dynamo"]
            if given and self.is_constant(given[0], False):
                yield call

    def _tests_on_data(self, forward: Definition) -> Iterator[ast.expr]:
        branches: list[ast.If | ast.While | ast.IfExp] = [
            *self.below(forward.node, ast.If),
            *self.below(forward.node, ast.While),
            *self.below(forward.node, ast.IfExp),
        ]
        yield from (b.test for b in branches if self._depends_on_data(b.test, forward))

    def _depends_on_data(self, test: ast.expr, forward: Definition) -> bool:
        """Whether a test compares a value that was computed from an argument of forward."""
        if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Call):
            return False
        if self.kind_of(test.left) is Kind.TENSOR:
            return True
        given = {a.arg for a in self.arguments(cast(Function, forward.node))}
        match test.left.func:
            case ast.Attribute(value=ast.Name(id=name), attr=method):
                return name in given and method in REDUCES
        return False
