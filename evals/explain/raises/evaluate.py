"""Explains the drawn raises: `python evaluate.py [second] [IDS] [--text] [--show]`.

A program in `programs/` is run and its exception explained live, or with `--text` from its printed traceback.
A raise without a program is explained from a synthetic traceback, whose message has a filling for each
expression of the template. Counted: the guard is shown; values of the names in it are shown; the argument
that the first line of the program names is among the values traced.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import runpy
import sys
import time
import traceback
import warnings
from pathlib import Path
from sysconfig import get_paths

from keng.cli.explain import screen_of
from keng.explain.engine import explain_live, explain_text
from keng.model import Explanation
from keng.report.screen import Screen
from keng.report.words import Words

HERE = Path(__file__).parent
SITE = Path(get_paths()["purelib"])
MARK = "# argument:"
FILLINGS = ("17", "0.5", "abc", "torch.float64", "[2, 3]")
COUNTED = ("guard", "values", "sure", "argument", "filled", "known")
Row = dict[str, object]


def caught(program: Path) -> BaseException | None:
    known = dict(os.environ)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_path(str(program), run_name="__main__")
    except BaseException as error:
        return trimmed(error)
    finally:
        os.environ.clear()
        os.environ.update(known)
    return None


def trimmed(error: BaseException) -> BaseException:
    """Without the frames of this file and of `runpy`."""
    at: BaseException | None = error
    while at is not None:
        tb = at.__traceback__
        while tb is not None and str(HERE / "programs") not in tb.tb_frame.f_code.co_filename:
            tb = tb.tb_next
        at.__traceback__ = tb or at.__traceback__
        at = at.__cause__ or at.__context__
    return error


def synthetic(drawn: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A traceback of that raise, and what the expressions of its message were filled with."""
    path, line = SITE / drawn["file"], int(drawn["line"])
    source = path.read_text("utf-8")
    kinds = ast.Raise | ast.Assert | ast.Call
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds))
    message, filled = filling(next(node for node in nodes if node.lineno == line))
    kind = re.match(r"raise ([\w.]+)", drawn["statement"])
    name = kind[1] if kind else "AssertionError" if drawn["kind"] == "assert" else "RuntimeError"
    text = source.splitlines()[line - 1].strip()
    lines = [
        "Traceback (most recent call last):",
        '  File "train.py", line 12, in <module>',
        "    main()",
        f'  File "{path}", line {line}, in {drawn["function"]}',
        f"    {text}",
        f"{name}: {message}",
    ]
    return "\n".join(lines) + "\n", filled


def filling(statement: ast.AST) -> tuple[str, dict[str, str]]:
    """A message of a raise, and the values in it by their expressions."""
    joined = next((n for n in ast.walk(statement) if isinstance(n, ast.JoinedStr)), None)
    if joined is None:
        plain = [n.value for n in ast.walk(statement) if isinstance(n, ast.Constant)]
        return next((text for text in reversed(plain) if isinstance(text, str)), ""), {}
    parts, filled = [], {}
    for n, value in enumerate(joined.values):
        text = FILLINGS[n % len(FILLINGS)]
        if isinstance(value, ast.Constant):
            text = str(value.value)
        elif isinstance(value, ast.FormattedValue):
            filled[ast.unparse(value.value)] = text
        parts.append(text)
    return "".join(parts), filled


def screen(explanation: Explanation) -> str:
    lines = screen_of(explanation, Screen(io.StringIO(), "never"), Words("en"))
    return "\n".join("".join(piece.text for piece in line) for line in lines)


def has_guard(guard: str, said: str) -> bool:
    """Whether the guard, or an operand of it that decided, is in what is printed."""
    flat = " ".join(said.split())
    operands, texts = [ast.parse(guard, mode="eval").body], [guard]
    while operands:
        first = operands.pop(0)
        texts.append(ast.unparse(first))
        if isinstance(first, ast.BoolOp):
            operands += first.values
        elif isinstance(first, ast.UnaryOp):
            operands.append(first.operand)
    return any(text[:70] in flat for text in texts)


def names(argument: str, explanation: Explanation) -> bool:
    """Whether a traced value, and not only the line that is shown, has the argument."""
    values = explanation.reason.values if explanation.reason is not None else ()
    return any(v.how and argument.replace('"', "'") in v.text.replace('"', "'") for v in values)


def row_of(drawn: dict[str, str], as_text: bool, show: bool) -> Row:
    program = HERE / "programs" / f"{drawn['id']}.py"
    error = caught(program) if program.exists() else None
    text, filled = ("", {}) if error is not None else synthetic(drawn)
    if error is not None:
        text = "".join(traceback.format_exception(error))
    start = time.process_time()
    explanation = explain_live(error) if error is not None and not as_text else explain_text(text)
    took = time.process_time() - start
    said, reason = screen(explanation), explanation.reason
    head = program.read_text("utf-8").splitlines()[0] if error is not None else MARK
    argument = head.removeprefix(MARK).strip()
    row: Row = {
        "id": drawn["id"],
        "live": error is not None,
        "known": explanation.known,
        "guard": has_guard(drawn["guard"], said),
        "sure": reason is not None and reason.sure,
        "values": reason is not None and any(v.value for v in reason.values),
        "argument": names(argument, explanation) if argument else None,
        "filled": all(v in " ".join(said.split()) for v in filled.values()) if filled else None,
        "seconds": round(took, 3),
    }
    if show:
        place = f"{drawn['file']}:{drawn['line']}"
        print(f"== {drawn['id']} {place} {drawn['kind']}: {drawn['guard']} [{argument}]\n{said}")
    return row


def report(name: str, rows: list[Row]) -> None:
    print(f"{name}: {len(rows)}")
    for key in COUNTED:
        asked = [row for row in rows if row[key] is not None]
        missing = " ".join(str(row["id"]) for row in asked if not row[key])
        rest = f"  not: {missing}" if missing and key != "known" else ""
        print(f"  {key}: {sum(bool(row[key]) for row in asked)} of {len(asked)}{rest}")
    times = sorted(float(str(row["seconds"])) for row in rows)
    print(f"  CPU seconds: median {times[len(times) // 2]}, p90 {times[int(len(times) * 0.9)]}")


def main() -> None:
    warnings.simplefilter("ignore")
    wanted = [each for each in sys.argv[1:] if each.isdigit()]
    name = "second.json" if "second" in sys.argv else "drawn.json"
    drawn = json.loads((HERE / name).read_text("utf-8"))["raises"]
    chosen = [each for each in drawn if not wanted or each["id"] in wanted]
    rows = [row_of(each, "--text" in sys.argv, "--show" in sys.argv) for each in chosen]
    for group, live in (("programs", True), ("synthetic", False)):
        part = [row for row in rows if row["live"] is live]
        if part:
            report(group, part)


if __name__ == "__main__":
    main()
