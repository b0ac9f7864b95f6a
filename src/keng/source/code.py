"""One parsed file and the questions that a rule may ask of it, by subject.

Each subject is built from those before it in the order of tests/source/test_subjects.py and
asks no other: no module of `keng.source` imports a later one, in annotations or late imports either.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from keng.model import Fix, Hit, Severity, Skipped, Span
from keng.source.axes import Layouts
from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.devices import Devices
from keng.source.dimensions import Dimensions
from keng.source.edits import Edits
from keng.source.evaluation import Evaluations
from keng.source.execution.program import Execution
from keng.source.flow import Flow
from keng.source.generators import Generators
from keng.source.graph import Graph
from keng.source.loaders import Loaders
from keng.source.loops import Loops
from keng.source.masks import Masks
from keng.source.modes import Modes
from keng.source.names import Names
from keng.source.objects import Objects
from keng.source.processes import Processes
from keng.source.project import torch_version as versions
from keng.source.project.trees import Trees
from keng.source.registration import Registration
from keng.source.shapes import Shapes
from keng.source.splits import Splits
from keng.source.states import States
from keng.source.tree import Tree
from keng.source.types.infer import Types
from keng.source.types.origins import Origins
from keng.source.types.registries import Registries
from keng.source.types.usage import Usage

N = TypeVar("N", bound=ast.AST)
T = TypeVar("T")


class Code:
    """One object for each subject: `code.types.kind_of(x)`, `code.loops.training`, `code.modes.grad_at(x)`.
    What every rule asks is one word: `code.of(ast.Call)`, `code.text_of(node)`, `code.hit(node, ...)`."""

    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.source = tree.source
        self.path = tree.path
        self.text = tree.text
        self.relevant = tree.relevant
        self.of = tree.nodes
        self.around = tree.enclosing
        self.below = tree.descendants
        self.within = tree.within
        self.statement = tree.statement
        self.text_of = tree.text_of
        self.span = tree.span

    def at(self, tree: Tree) -> Code:
        """Another file of the project."""
        return self if tree is self.tree else self.trees.ask(Code, tree)

    @cached_property
    def names(self) -> Names:
        return self.trees.ask(Names, self.tree)

    @cached_property
    def classes(self) -> Classes:
        return self.trees.ask(Classes, self.tree)

    @cached_property
    def flow(self) -> Flow:
        return self.trees.ask(Flow, self.tree)

    @cached_property
    def calls(self) -> Calls:
        return self.trees.ask(Calls, self.tree)

    @cached_property
    def usage(self) -> Usage:
        return self.trees.ask(Usage, self.tree)

    @cached_property
    def registries(self) -> Registries:
        return self.trees.ask(Registries, self.tree)

    @cached_property
    def types(self) -> Types:
        return self.trees.ask(Types, self.tree)

    @cached_property
    def origins(self) -> Origins:
        return self.trees.ask(Origins, self.tree)

    @cached_property
    def objects(self) -> Objects:
        return self.trees.ask(Objects, self.tree)

    @cached_property
    def edits(self) -> Edits:
        return self.trees.ask(Edits, self.tree)

    @cached_property
    def modes(self) -> Modes:
        return self.trees.ask(Modes, self.tree)

    @cached_property
    def loops(self) -> Loops:
        return self.trees.ask(Loops, self.tree)

    @cached_property
    def graph(self) -> Graph:
        return self.trees.ask(Graph, self.tree)

    @cached_property
    def registration(self) -> Registration:
        return self.trees.ask(Registration, self.tree)

    @cached_property
    def evaluation(self) -> Evaluations:
        return self.trees.ask(Evaluations, self.tree)

    @cached_property
    def generators(self) -> Generators:
        return self.trees.ask(Generators, self.tree)

    @cached_property
    def loaders(self) -> Loaders:
        return self.trees.ask(Loaders, self.tree)

    @cached_property
    def splits(self) -> Splits:
        return self.trees.ask(Splits, self.tree)

    @cached_property
    def devices(self) -> Devices:
        return self.trees.ask(Devices, self.tree)

    @cached_property
    def processes(self) -> Processes:
        return self.trees.ask(Processes, self.tree)

    @cached_property
    def states(self) -> States:
        return self.trees.ask(States, self.tree)

    @cached_property
    def shapes(self) -> Shapes:
        return self.trees.ask(Shapes, self.tree)

    @cached_property
    def dimensions(self) -> Dimensions:
        return self.trees.ask(Dimensions, self.tree)

    @cached_property
    def execution(self) -> Execution:
        return self.trees.ask(Execution, self.tree)

    @cached_property
    def layouts(self) -> Layouts:
        return self.trees.ask(Layouts, self.tree)

    @cached_property
    def masks(self) -> Masks:
        return self.trees.ask(Masks, self.tree)

    def hit(
        self,
        node: ast.AST,
        says: str,
        fix: Fix | None = None,
        sure: bool = True,
        where: Span | None = None,
        level: Severity | None = None,
        once: bool = False,
        **evidence: int | float | str | bool,
    ) -> Hit:
        return Hit(says, where or self.tree.span(node), evidence, fix, sure, level, once)

    def torch_at_least(self, version: str) -> bool | None:
        """Whether every torch that this program is written for is at least `version`; None where
        nothing says so. What is moot since a version is asked as `torch_at_least("1.9") is False`."""
        if self._version_of_script is not None:
            return versions.at_least(self._version_of_script, version)
        return self.trees.torch_at_least(version, self.path)

    def torch_may_be(self, version: str) -> bool:
        """Whether nothing keeps this program from a torch that is as new as `version`."""
        stated = self._stated_by_script or self.trees.stated_torch(self.path)
        return versions.allow(stated, version)

    @cached_property
    def _version_of_script(self) -> versions.Version | None:
        return versions.oldest(self._stated_by_script)

    @cached_property
    def _stated_by_script(self) -> versions.Specifiers:
        return versions.of_script(self.text)


def once_per_file(question: Callable[[Code], T]) -> Callable[[Code], T]:
    """A question about a file that is answered once: several rules, or one of them many times, may ask it."""

    def asked(code: Code) -> T:
        known = code.tree.subjects
        if question not in known:
            known[question] = question(code)
        answer: T = known[question]
        return answer

    return asked


class Project:
    """The files of a project as code. `files` are those in which callers are looked for; `torch` gives the
    versions that a file's configuration names."""

    def __init__(
        self,
        *roots: str | Path,
        files: Iterable[str | Path] = (),
        torch: Callable[[str], str] = lambda path: "",
    ) -> None:
        self.trees = Trees(roots, files, torch)
        self.files = self.trees.files

    def read(self, path: str | Path, text: str | None = None) -> Code | Skipped:
        """The code of a file, or why it cannot be read."""
        tree = self.trees.read(path, text)
        return tree if isinstance(tree, Skipped) else self.trees.ask(Code, tree)

    def read_whole(self, path: str, text: str) -> Code | Skipped:
        """As `read`, of a text that may not reach torch: a program that runs has files of both kinds."""
        tree = self.trees.read_whole(path, text)
        return tree if isinstance(tree, Skipped) else self.trees.ask(Code, tree)
