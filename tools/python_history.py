"""Writes src/keng/tables/python_history.names: which names of the standard library came and went with a version of Python.

Usage: python tools/python_history.py

Read from the stubs of typeshed that mypy is installed with: the conditions on `sys.version_info` in them, and the
file VERSIONS for whole modules. Versions that typeshed has given up are in EARLIER, from the "What's New" of Python.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import mypy

STUBS = Path(mypy.__file__).parent / "typeshed" / "stdlib"
OUT = Path(__file__).parents[1] / "src" / "keng" / "tables" / "python_history.names"
FIRST, LAST = 10, 14
"""Minor versions of Python 3 whose names are compared."""

EARLIER = (
    "asyncio|3.7||create_task get_running_loop run",
    "asyncio|3.9||to_thread",
    "contextlib|3.7||asynccontextmanager nullcontext",
    "functools|3.8||cached_property singledispatchmethod",
    "functools|3.9||cache",
    "math|3.8||comb dist isqrt perm prod",
    "math|3.9||lcm nextafter ulp",
    "typing|3.8||Final Literal Protocol SupportsIndex TypedDict final get_args get_origin runtime_checkable",
    "typing|3.9||Annotated",
    "typing|3.10||Concatenate ParamSpec ParamSpecArgs ParamSpecKwargs TypeAlias TypeGuard is_typeddict",
    "types|3.10||EllipsisType NoneType NotImplementedType UnionType",
    "itertools|3.10||pairwise",
    "time||3.8|clock",
    "cgi||3.8|escape",
    "fractions||3.9|gcd",
    "collections||3.10|AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Callable Collection Container "
    "Coroutine Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping "
    "MutableSequence MutableSet Reversible Sequence Set Sized ValuesView",
)


def main() -> None:
    rows = [*EARLIER, *_modules()]
    for path in sorted(STUBS.rglob("*.pyi")):
        inner = path.relative_to(STUBS).with_suffix("").parts
        module = ".".join(inner[:-1] if inner[-1] == "__init__" else inner)
        if not any(part.startswith("_") for part in inner if part != "__init__"):
            rows += _names(module, ast.parse(path.read_text("utf-8")))
    head = (
        f"# The standard library of Python 3.7 to 3.{LAST}: place | came with | gone with | names"
    )
    OUT.write_text("\n".join([head, *sorted(rows)]) + "\n", "utf-8")


def _modules() -> Iterator[str]:
    """Whole modules: the place is the package that they are in, empty for the outermost."""
    for module, came, last in re.findall(
        r"^([\w.]+): 3\.(\d+)-(?:3\.(\d+))?", (STUBS / "VERSIONS").read_text("utf-8"), re.MULTILINE
    ):
        place, _, name = module.rpartition(".")
        if name.startswith("_") or not (int(came) > 6 or last):
            continue
        gone = f"3.{int(last) + 1}" if last else ""
        yield f"{place}|{f'3.{came}' if int(came) > 6 else ''}|{gone}|{name}"


def _names(module: str, tree: ast.Module) -> Iterator[str]:
    """The rows of a module whose names are not the same in all versions."""
    there = {minor: {*_defined(tree.body, minor)} for minor in range(FIRST, LAST + 1)}
    changed: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sorted(set().union(*there.values())):
        having = [minor for minor, names in there.items() if name in names]
        came = f"3.{having[0]}" if having[0] > FIRST else ""
        gone = f"3.{having[-1] + 1}" if having[-1] < LAST else ""
        if (came or gone) and _agrees(module, name, came, gone):
            changed[came, gone].append(name)
    for (came, gone), names in changed.items():
        yield f"{module}|{came}|{gone}|{' '.join(names)}"


def _agrees(module: str, name: str, came: str, gone: str) -> bool:
    """Whether the Python that runs this has a name as a row says: a stub may put what was always there into a
    condition, for another signature or home."""
    try:
        has = hasattr(importlib.import_module(module), name)
    except ImportError:
        return True  # of another system
    here = sys.version_info[1]
    after = bool(came) and here < int(came[2:])
    return has == (not after and not (gone and here >= int(gone[2:])))


def _defined(body: list[ast.stmt], minor: int) -> Iterator[str]:
    """The public names that statements define in a version; of conditions on something else, both sides."""
    for node in body:
        if isinstance(node, ast.If):
            holds = _holds(node.test, minor)
            yield from _defined(node.body, minor) if holds is not False else ()
            yield from _defined(node.orelse, minor) if holds is not True else ()
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _public(node.name)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            for target in targets:
                yield from _public(target.id) if isinstance(target, ast.Name) else ()
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield from _public(alias.asname or "")


def _public(name: str) -> Iterator[str]:
    if name and not name.startswith("_"):
        yield name


def _holds(test: ast.expr, minor: int) -> bool | None:
    """Whether a condition holds in a version; None where it asks for something else."""
    if isinstance(test, ast.BoolOp):
        held = [_holds(each, minor) for each in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in held:
            return decisive
        return None if None in held else not decisive
    found = re.fullmatch(r"sys\.version_info (>=|<) \(3, (\d+)(?:, \d+)?\)", ast.unparse(test))
    if found is None:
        return None
    return (minor >= int(found[2])) == (found[1] == ">=")


if __name__ == "__main__":
    main()
