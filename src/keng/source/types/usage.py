"""The kind of an argument or variable as far as its uses determine it."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from keng.source.project.trees import Trees
from keng.source.tree import Function, Tree
from keng.source.types.kinds import Kind

OF_MODULES = frozenset(
    """
    parameters named_parameters state_dict load_state_dict eval train zero_grad cuda half to modules
    """.split()
)
"""Methods that, among the things that can be called, only a module has."""
OF_LOADERS = frozenset({"dataset", "batch_sampler", "num_workers"})
LOSS = re.compile(r"loss|crit", re.IGNORECASE)


class Usage:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees

    def of(self, tree: Tree) -> Usage:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Usage, tree)

    def infer_from_usage(self, function: Function | None, name: str) -> Kind:
        """A module where what has a name in a function is called and has methods of modules called, a
        loader where it is iterated and has attributes of loaders read; else unknown. Which module
        it is, a model or a criterion, its use does not tell: what is called a loss stays unknown."""
        done = self._done_to(function, name)
        if "()" in done and done & OF_MODULES and not LOSS.search(name):
            return Kind.MODULE
        return Kind.LOADER if "for" in done and done & OF_LOADERS else Kind.UNKNOWN

    def _done_to(self, function: Function | None, name: str) -> set[str]:
        """What is done to a name in a function: called "()", gone through "for", or the name of an
        attribute."""
        if (function, name) not in self._done:
            inside = self._uses_of(name).get(function, ())
            self._done[function, name] = set(filter(None, map(self._use, inside)))
        return self._done[function, name]

    def _uses_of(self, name: str) -> dict[Function | None, list[ast.Name]]:
        """Where the file has a name, by the function around: many functions have arguments of one name."""
        if name not in self._uses:
            found: dict[Function | None, list[ast.Name]] = {}
            for use in self.tree.names_by_id.get(name, ()):
                found.setdefault(self.tree.enclosing_function(use), []).append(use)
            self._uses[name] = found
        return self._uses[name]

    @cached_property
    def _uses(self) -> dict[str, dict[Function | None, list[ast.Name]]]:
        return {}

    @cached_property
    def _done(self) -> dict[tuple[ast.AST | None, str], set[str]]:
        return {}

    def _use(self, name: ast.Name) -> str:
        match above := self.tree.parent[name]:
            case ast.Attribute(attr=attribute):
                return attribute
            case ast.Call(func=called) if called is name:
                return "()"
        return "for" if self._is_iterated(name, above) else ""

    def _is_iterated(self, name: ast.AST, above: ast.AST) -> bool:
        """Whether a loop goes over a name, wrapped in enumerate or a progress bar perhaps."""
        while isinstance(above, ast.Call) and above.args and above.args[0] is name:
            name, above = above, self.tree.parent[above]
        return isinstance(above, (ast.For, ast.AsyncFor)) and above.iter is name
