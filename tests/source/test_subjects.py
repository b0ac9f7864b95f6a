"""The modules of `keng.source`: which may import which, and who uses their public methods."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import keng
from keng.source import Code

KENG = Path(keng.__file__).parent
HOME = KENG / "source"
ORDER = (
    *("documents.cells", "documents.markdown", "documents.notebook", "native.tokens", "text"),
    *("statements", "suppressions", "tree", "liveness"),
    *("project.prescan", "project.files", "project.torch_reach", "project.imports"),
    *("project.torch_version", "project.trees"),
    *("names", "classes", "flow", "calls"),
    *("types.tables", "types.kinds", "types.usage", "types.registries", "types.infer"),
    *("types.origins", "objects", "edits", "modes", "loops", "graph", "registration", "evaluation"),
    *("generators", "loaders", "splits", "devices", "processes", "states", "shapes"),
    *("dimensions", "axes", "masks"),
    *("execution.values", "execution.conditions", "execution.events", "execution.machine"),
    *("execution.modules", "execution.heap", "execution.expressions", "execution.statements"),
    *("execution.library", "execution.methods", "execution.usage", "execution.calls"),
    *("execution.worlds", "execution.automaton", "execution.program"),
    *("code", "pasted"),
)
"""Every module of `keng.source`: each imports none that stands after it."""
FEW_USERS = {
    "project.trees.Trees.learn_callers": "the engine alone forks, and reads all callers before it does",
    "project.trees.Trees.read_whole": "run alone has texts of files that do not reach torch",
    "code.Project.read_whole": "the same",
}
"""Questions with a single user that are no pitfall's own."""


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(HOME).with_suffix("").parts)


MODULES = {module_of(p): ast.parse(p.read_text("utf-8")) for p in sorted(HOME.rglob("*.py"))}
PACKAGES = {name for name in MODULES if name.rpartition(".")[2] == "__init__"}


def imported_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The modules of keng.source imported anywhere in a tree, with the imported names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("keng.source"):
            inner = (node.module or "").removeprefix("keng.source").removeprefix(".")
            for alias in node.names:
                deeper = f"{inner}.{alias.name}".removeprefix(".")
                yield (deeper, "") if deeper in MODULES else (inner, alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("keng.source."):
                    yield alias.name.removeprefix("keng.source."), ""


def out_of_order(name: str, tree: ast.AST) -> list[str]:
    """The imports of a module that come after it in `ORDER`. The package itself imports all modules."""
    at = ORDER.index(name)
    return [
        f"{name} imports {other or 'keng.source'}"
        for other, _ in imported_names(tree)
        if other not in ORDER[:at]
    ]


def test_every_module_has_a_place_in_the_order() -> None:
    assert sorted(ORDER) == sorted(MODULES.keys() - PACKAGES)


def test_no_module_imports_a_later_one() -> None:
    wrong = [w for name in ORDER for w in out_of_order(name, MODULES[name])]
    assert wrong == []


def test_import_of_a_later_module_is_detected() -> None:
    late = "if TYPE_CHECKING:\n    from keng.source.loops import Loop"
    assert out_of_order("types.infer", ast.parse(late))
    assert out_of_order("tree", ast.parse("def f():\n    from keng.source import Code"))
    assert not out_of_order("loops", ast.parse("from keng.source.types.infer import Types"))


def test_code_class_has_no_base_class() -> None:
    assert Code.__mro__ == (Code, object)


def subjects() -> Iterator[tuple[str, ast.ClassDef]]:
    """The classes that answer questions about a file: their constructors take `tree` and `trees`."""
    for name, tree in MODULES.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and any(_builds(each) for each in node.body):
                yield name, node


def _builds(node: ast.stmt) -> bool:
    arguments = [a.arg for a in node.args.args] if isinstance(node, ast.FunctionDef) else []
    return arguments == ["self", "tree", "trees"]


def test_subject_classes_have_no_base_class() -> None:
    found = {node.name: node.bases for _, node in subjects()}
    assert len(found) > 20
    assert [name for name, bases in found.items() if bases] == []


# Who uses what: by names, so that a common name counts as more used than it is, never as less.


def definitions() -> dict[str, ast.AST]:
    """All functions and methods of keng.source, by module, class and name."""
    found: dict[str, ast.AST] = {}
    for name, tree in MODULES.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                found[f"{name}.{node.name}"] = node
            elif isinstance(node, ast.ClassDef):
                methods = [m for m in node.body if isinstance(m, ast.FunctionDef)]
                found |= {f"{name}.{node.name}.{m.name}": m for m in methods}
    return found


def names_used(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    names = {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    names |= {n.id for n in nodes if isinstance(n, ast.Name)}
    return names | {a.name for n in nodes if isinstance(n, ast.ImportFrom) for a in n.names}


def users_of_definitions() -> dict[str, set[str]]:
    """Of each definition, the pitfalls and modules of engines that reach it."""
    known = definitions()
    by_name = defaultdict(list)
    for key in known:
        by_name[key.rpartition(".")[2]].append(key)
    calls = {key: names_used(node) for key, node in known.items()}
    reached = defaultdict(set)
    for file in KENG.rglob("*.py"):
        parts = file.relative_to(KENG).parts
        if parts[0] == "source" or "cases" in parts:
            continue
        user = "/".join(parts[:3] if parts[0] == "pitfalls" else parts)
        left, seen = list(names_used(ast.parse(file.read_text("utf-8")))), set[str]()
        while left:
            if (name := left.pop()) not in seen:
                seen.add(name)
                for key in by_name.get(name, ()):
                    reached[key].add(user)
                    left += calls[key]
    return reached


def test_every_public_method_has_two_users() -> None:
    reached = users_of_definitions()
    public = [key for key in definitions() if not key.rpartition(".")[2].startswith("_")]
    lonely = {key: sorted(reached[key]) for key in public if len(reached[key]) < 2}
    assert lonely.keys() == FEW_USERS.keys(), lonely
