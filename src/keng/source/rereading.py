"""A layer of Code: what is read or counted again and again, where once would do or once is not enough."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.source.index import LOOPS, names_in
from keng.source.windows import Windows

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
COUNTERS = frozenset(
    """
    patience wait waited counter count bad improve improved improvement improving worse stall stop trigger
    """.split()
)
STOPS = re.compile(r"stop\w* = True", re.IGNORECASE)


class Rereading(Windows):
    def whole_files_for_items(self) -> Iterator[tuple[ast.Call, ast.expr]]:
        """Calls in the `__getitem__` of a data set that read a file which is the same for each item: the
        call, and the file."""
        for owner in self.datasets():
            serving = self.own_method(owner, "__getitem__")
            for call in self.below(serving, ast.Call) if serving is not None else ():
                if self.resolve(call.func) in READERS and self._reads_each_time(call):
                    file = self._read_from(call)
                    if file is not None and self._is_same_for_all(file, owner):
                        yield call, file

    def _reads_each_time(self, call: ast.Call) -> bool:
        """Whether a call is made for each item, and of the whole."""
        asked = self.around(call, ast.If, ast.IfExp, ast.Try, ast.ClassDef)
        return isinstance(asked, ast.ClassDef) and not any(
            k.arg is None or k.arg in LAZY for k in call.keywords
        )

    def _read_from(self, call: ast.Call) -> ast.expr | None:
        """The path that a call reads: of an open file, that of its `open`."""
        given = call.args[0] if call.args else None
        if isinstance(given, ast.Name):
            found = self.reaching(given)
            opened = found[0].value if len(found) == 1 and found[0].how == "with" else None
            given = opened if opened is not None else given
        if isinstance(given, ast.Call) and self.resolve(given.func) == "builtins.open":
            return given.args[0] if given.args else None
        return given

    def _is_same_for_all(self, file: ast.expr, owner: ast.ClassDef) -> bool:
        """Whether a path is a text, or made of what the constructor has put on `self` alone."""
        own = [
            n for n in ast.walk(file) if isinstance(n, ast.Attribute) and self.self_class(n.value)
        ]
        stored = {n.attr for n in own}
        indexed = any(
            isinstance(n, (ast.Subscript, ast.Call, ast.JoinedStr)) for n in ast.walk(file)
        )
        if indexed or names_in(file) - {"self"}:
            return False
        return all(self._set_only_by(owner, name) for name in stored)

    def _set_only_by(self, owner: ast.ClassDef, name: str) -> bool:
        """Whether the constructor alone gives an attribute its value."""
        stores = [
            n
            for n in self.attributes_by_name.get(name, ())
            if isinstance(n.ctx, ast.Store) and self.class_around(n) is owner
        ]
        functions = [self.function_around(n) for n in stores]
        return bool(stores) and all(f is not None and f.name == "__init__" for f in functions)

    def counters_never_reset(self) -> Iterator[tuple[ast.AugAssign, str, str]]:
        """`counter += 1` where a measure is no better than the best, which ends a training, and nothing sets
        it back: the statement, the counter and what is the best."""
        for added in self.of(ast.AugAssign):
            test, text = self.around(added, ast.If), ast.unparse(added.target)
            words = set(re.split(r"[^a-z]+", text.lower()))
            if test is None or not words & COUNTERS or not self.me.is_constant(added.value, 1):
                continue
            block = self._rounds_of(added)
            better = test.body if self._arm(added, test) == "orelse" else test.orelse
            best = self._kept_by(better, test.test)
            if block is None or not best or not self._ends_by(block, text):
                continue
            if all(self.statement(n) is added for n in self._stores_of(added.target, block)):
                yield added, text, best

    def _rounds_of(self, added: ast.AugAssign) -> ast.AST | None:
        """The outermost loop of its function that a name is counted in, or the class of an attribute."""
        if isinstance(added.target, ast.Attribute):
            return self.self_class(added.target.value)
        loops = [a for a in self.ancestors(added) if isinstance(a, LOOPS)]
        inside = [n for n in loops if self.function_around(n) is self.function_around(added)]
        return inside[-1] if inside and isinstance(added.target, ast.Name) else None

    def _kept_by(self, arm: list[ast.stmt], test: ast.expr) -> str:
        """What the arm of a test gives the value that it was compared with."""
        sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
        texts = {ast.unparse(side) for side in sides}
        for each in arm:
            if isinstance(each, ast.Assign) and ast.unparse(each.value) in texts:
                kept = ast.unparse(each.targets[0])
                if kept in texts:
                    return kept
        return ""

    def _ends_by(self, block: ast.AST, text: str) -> bool:
        """Whether something is left, or told to stop, where a counter has come to a number."""
        for test in self.below(block, ast.If):
            asked = test.test
            if isinstance(asked, ast.Compare) and text in map(
                ast.unparse, (asked.left, *asked.comparators)
            ):
                inside = self.below(test, ast.Break, ast.Return, ast.Assign)
                if any(
                    not isinstance(n, ast.Assign) or STOPS.search(ast.unparse(n)) for n in inside
                ):
                    return True
        return False

    def _stores_of(self, target: ast.expr, block: ast.AST) -> list[ast.AST]:
        """Where a name is given a value in a loop, or an attribute in a class outside of its constructor."""
        same = [n for n in self.below(block, type(target)) if ast.unparse(n) == ast.unparse(target)]
        stored = [n for n in same if isinstance(getattr(n, "ctx", None), ast.Store)]
        around = [(n, self.function_around(n)) for n in stored]
        made = isinstance(block, ast.ClassDef)
        return [n for n, f in around if not (made and f is not None and f.name == "__init__")]
