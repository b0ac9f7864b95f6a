"""One parsed program and the questions that a finder may ask of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from keng.model import Fix, Hit, Span
from keng.source import versions
from keng.source.remedies import Remedies
from keng.source.text import Source

if TYPE_CHECKING:
    from keng.source.project import Project


class Code(Remedies):
    """A file in layers, each a module that asks those below it: index, names, classes, kinds, origins,
    contexts, modes, loops, graphs, gradients, registers, formulas, training, evaluation, devices,
    protocol, states, feeding, edits, outdated, extensions, deployment, cuts, layouts, processes, samplers,
    models, bystanders, rounds, orders, byhand, images, shortcuts, reshaped, keeping, omissions, habits,
    slips, choices, augmenting, meanings, variational, undoing, shifting, forcing, overwriting, padding,
    policies, repeating, halves, scales, spreads, parting, windows, rereading, surrogates, apart, samples,
    lengths, fitting, handing, mending, remedies.
    `relevant` is False where torch is out of the file's sight: then it was not parsed. A file of C++ or
    CUDA has no tree, only `native`."""

    def __init__(
        self,
        source: Source,
        tree: ast.Module,
        project: Project,
        module: str,
        relevant: bool = True,
    ) -> None:
        super().__init__(source, tree, project, module)
        self.encoding = source.encoding
        self.bom = source.bom
        self.relevant = relevant

    def hit(
        self,
        node: ast.AST,
        says: str,
        fix: Fix | None = None,
        sure: bool = True,
        where: Span | None = None,
        **evidence: int | float | str | bool,
    ) -> Hit:
        return Hit(says, where or self.span(node), evidence, fix, sure)

    def torch_at_least(self, version: str) -> bool | None:
        """Whether every torch that this program is written for is at least `version`; None where
        nothing tells. What is moot since a version is asked as `torch_at_least("1.9") is False`."""
        if self._of_script is not None:
            return versions.at_least(self._of_script, version)
        return self.project.torch_at_least(version, self.path)

    @cached_property
    def _of_script(self) -> versions.Version | None:
        return versions.of_script(self.text)

    @property
    def names_torch(self) -> bool:
        """Whether the file itself speaks of torch, and not only what it imports."""
        return b"torch" in self.data

    def receiver(self, call: ast.Call) -> ast.expr:
        """What a method is called on."""
        assert isinstance(call.func, ast.Attribute), "a method call has a receiver"
        return call.func.value

    def discarded_calls(self) -> Iterator[tuple[ast.Call, ast.expr, str]]:
        """Method calls that stand as statements, their results dropped: call, receiver, method."""
        for call in self.calls_discarded():
            if isinstance(call.func, ast.Attribute):
                yield call, call.func.value, call.func.attr

    def calls_discarded(self) -> Iterator[ast.Call]:
        """Calls that stand as statements. What a notebook prints is not dropped."""
        for statement in self.of(ast.Expr):
            if isinstance(statement.value, ast.Call) and not self._shown(statement):
                yield statement.value

    def _shown(self, statement: ast.Expr) -> bool:
        line, cells = statement.end_lineno or statement.lineno, self.source.cells
        return cells is not None and cells.shows(line, self.source.line(line))
