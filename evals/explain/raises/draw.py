"""Draws raises that have a guard from installed libraries: `python draw.py > drawn.json`, and a second set,
drawn after the code had been tuned on the first: `python draw.py second > second.json`.

Two strata, fixed before any code of `keng.explain.reasons` was written: `reachable` raises are in a public
function of a public module and their guard names a parameter of that function; `any` raises are the rest.
The draw reads source only. What it calls the guard is the innermost test around the raise, computed here and
not by keng.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from sysconfig import get_paths

SEED = 20261127
SITE = Path(get_paths()["purelib"])
QUOTA = {
    # library: (reachable, any)
    "torch": (30, 14),
    "transformers": (10, 8),
    "sklearn": (10, 3),
    "lightning": (7, 3),
    "accelerate": (5, 2),
    "peft": (7, 3),
    "torch_geometric": (8, 3),
    "kornia": (8, 2),
    "torchmetrics": (5, 2),
    "scipy": (4, 1),
    "numpy": (3, 1),
    "networkx": (2, 1),
    "huggingface_hub": (2, 1),
    "PIL": (2, 1),
}
SECOND_SEED = 20261128
SECOND_QUOTA = {
    "torch": (14, 0),
    "transformers": (5, 0),
    "sklearn": (6, 0),
    "lightning": (4, 0),
    "accelerate": (3, 0),
    "peft": (4, 0),
    "torch_geometric": (5, 0),
    "kornia": (4, 0),
    "torchmetrics": (4, 0),
    "scipy": (3, 0),
}
SKIPPED = {
    "tests",
    "test",
    "testing",
    "_testing",
    "benchmarks",
    "_vendor",
    "externals",
    "conftest.py",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def files(library: str) -> Iterator[Path]:
    for file in sorted((SITE / library).rglob("*.py")):
        if not SKIPPED & set(file.relative_to(SITE).parts):
            yield file


def raises(file: Path) -> Iterator[dict[str, object]]:
    try:
        text = file.read_text("utf-8")
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        found = guard_of(node, parents)
        function = enclosing(node, parents)
        if found is not None and function is not None:
            kind, test = found
            yield {
                "library": file.relative_to(SITE).parts[0],
                "file": file.relative_to(SITE).as_posix(),
                "line": node.lineno,
                "function": function.name,
                "kind": kind,
                "guard": ast.unparse(test),
                "statement": " ".join((ast.get_source_segment(text, node) or "").split()),
                "stratum": "reachable" if is_reachable(file, function, test, parents) else "any",
            }


def guard_of(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> tuple[str, ast.expr] | None:
    """The innermost test around a raise with a message, an assert with one, or a `torch._check`."""
    if isinstance(node, ast.Assert) and node.msg is not None:
        return "assert", node.test
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("torch._check"):
        return ("check", node.args[0]) if len(node.args) > 1 else None
    if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
        return None
    at: ast.AST = node
    while (above := parents.get(at)) is not None and not isinstance(at, Function):
        if isinstance(above, ast.If):
            return ("if" if at in above.body else "else"), above.test
        at = above
    return None


def enclosing(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Function | None:
    at: ast.AST | None = node
    while at is not None and not isinstance(at, Function):
        at = parents.get(at)
    return at


def is_reachable(
    file: Path, function: Function, test: ast.expr, parents: dict[ast.AST, ast.AST]
) -> bool:
    parts = [*file.relative_to(SITE).with_suffix("").parts, function.name]
    public = all(not part.startswith("_") or part.startswith("__") for part in parts)
    owner = parents.get(function)
    nested = not isinstance(owner, ast.Module | ast.ClassDef)
    hidden = isinstance(owner, ast.ClassDef) and owner.name.startswith("_")
    arguments = function.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)} - {
        "self",
        "cls",
    }
    used = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
    return public and not nested and not hidden and bool(names & used)


def drawn(quota: dict[str, tuple[int, int]], seed: int, first: int) -> list[dict[str, object]]:
    chosen: list[dict[str, object]] = []
    for library, (reachable, other) in quota.items():
        found = [each for file in files(library) for each in raises(file)]
        for stratum, most in (("reachable", reachable), ("any", other)):
            there = [each for each in found if each["stratum"] == stratum]
            chance = random.Random(f"{seed} {library} {stratum}")
            chosen += chance.sample(there, min(most, len(there)))
    return [{"id": f"{n:03}", **each} for n, each in enumerate(chosen, first)]


def main() -> None:
    names = {"sklearn": "scikit-learn", "PIL": "pillow"}
    versions = {library: version(names.get(library, library)) for library in QUOTA}
    second = "second" in sys.argv
    quota, seed, first = (SECOND_QUOTA, SECOND_SEED, 201) if second else (QUOTA, SEED, 1)
    found = drawn(quota, seed, first)
    json.dump({"seed": seed, "versions": versions, "raises": found}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
