"""Names the conditions in the rules of pitfalls that no case of theirs earns.

    python tools/unearned.py [NAME ...]

Each condition is replaced by True and by False, and every claim of the tests is put to the pitfall that results.
A condition that passes all of them is printed: a case is missing, or the condition is not needed.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/support"))

import keng.battery.code_claims
import keng.battery.run_claims  # noqa: F401
from keng import pitfalls
from keng.battery.engine import CLAIMS, Battery, Excused, battery, module_name
from keng.battery.programs import Programs
from keng.model import CatalogError, Edit, Fix, Pitfall
from made import changed


def conditions(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        tests = [node.test] if isinstance(node, (ast.If, ast.IfExp)) else []
        for test in [*tests, *(node.ifs if isinstance(node, ast.comprehension) else ())]:
            yield from operands(test)


def operands(test: ast.expr) -> Iterator[ast.expr]:
    """The smallest conditions that a test is made of."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from operands(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from operands(test.operand)
    else:
        yield test


def mutants(source: str) -> Iterator[tuple[str, str]]:
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in conditions(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        for value in ("True", "False"):
            what = f"{node.lineno}: {ast.unparse(node)} -> {value}"
            yield what, Fix("", (Edit(start, end, value),)).applied_to(source.encode()).decode()


def survives(real: Battery, unit: Pitfall, file: Path, source: str) -> bool:
    try:
        worse = changed(unit, file, source)
    except (CatalogError, SyntaxError):
        return False
    units = [worse if other.name == unit.name else other for other in real.units]
    other = Battery(real.programs, units, ((module_name(file), source),), real.codes)
    for claim, applies in CLAIMS.values():
        try:
            if applies(worse):
                claim(other, worse)
        except Excused:
            continue
        except Exception:
            return False
    return True


def main(names: list[str]) -> None:
    programs = Programs()
    real = battery(programs)
    for name in names or pitfalls.names():
        for file in sorted(pitfalls.folder(name).glob("*.py")):
            for what, source in mutants(file.read_text("utf-8")):
                if survives(real, pitfalls.pitfall(name), file, source):
                    print(f"{file}:{what}", flush=True)
    programs.close()


if __name__ == "__main__":
    main(sys.argv[1:])
