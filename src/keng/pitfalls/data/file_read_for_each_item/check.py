"""Source code: a data set reads its whole file again for each item."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import names_in

READERS = frozenset(
    [
        *(f"pandas.read_{kind}" for kind in ("csv", "table", "excel", "json", "parquet", "pickle")),
        *(f"numpy.{name}" for name in ("load", "loadtxt", "genfromtxt")),
        *("torch.load", "json.load", "pickle.load", "joblib.load", "scipy.io.loadmat"),
    ]
)
"""What reads the whole of a file."""
LAZY = ("mmap_mode", "mmap", "nrows", "skiprows", "usecols", "columns", "filters", "chunksize")
"""Arguments by which a part of it is read."""


@finds
def whole_file_for_one(code: Code) -> Hits:
    for call, file in _whole_files_for_items(code):
        text = code.text_of(file)
        yield code.hit(call, say("whole-read-again-each", file=text))


def _whole_files_for_items(code: Code) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Calls in the `__getitem__` of a data set that read a file which is the same for each item: the
    call, and the file."""
    for owner in code.loaders.datasets():
        serving = code.loaders.own_method(owner, "__getitem__")
        for call in code.below(serving, ast.Call) if serving is not None else ():
            if code.names.resolve(call.func) in READERS and _reads_each_time(code, call):
                file = _read_from(code, call)
                if file is not None and _is_same_for_all(code, file, owner):
                    yield call, file


def _reads_each_time(code: Code, call: ast.Call) -> bool:
    """Whether a call is made for each item, and of the whole."""
    asked = code.around(call, ast.If, ast.IfExp, ast.Try, ast.ClassDef)
    return isinstance(asked, ast.ClassDef) and not any(
        k.arg is None or k.arg in LAZY for k in call.keywords
    )


def _read_from(code: Code, call: ast.Call) -> ast.expr | None:
    """The path that a call reads: of an open file, that of its `open`."""
    given = call.args[0] if call.args else None
    if isinstance(given, ast.Name):
        found = code.flow.reaching_definitions(given)
        opened = found[0].value if len(found) == 1 and found[0].how == "with" else None
        given = opened if opened is not None else given
    if isinstance(given, ast.Call) and code.names.resolve(given.func) == "builtins.open":
        return given.args[0] if given.args else None
    return given


def _is_same_for_all(code: Code, file: ast.expr, owner: ast.ClassDef) -> bool:
    """Whether a path is a text, or made of what the constructor has put on `self` alone."""
    own = [
        n
        for n in ast.walk(file)
        if isinstance(n, ast.Attribute) and code.classes.self_class(n.value)
    ]
    stored = {n.attr for n in own}
    indexed = any(isinstance(n, (ast.Subscript, ast.Call, ast.JoinedStr)) for n in ast.walk(file))
    if indexed or names_in(file) - {"self"}:
        return False
    return all(_set_only_by(code, owner, name) for name in stored)


def _set_only_by(code: Code, owner: ast.ClassDef, name: str) -> bool:
    """Whether the constructor alone gives an attribute its value."""
    stores = [
        n
        for n in code.tree.attributes_by_name.get(name, ())
        if isinstance(n.ctx, ast.Store) and code.tree.enclosing_class(n) is owner
    ]
    functions = [code.tree.enclosing_function(n) for n in stores]
    return bool(stores) and all(f is not None and f.name == "__init__" for f in functions)
