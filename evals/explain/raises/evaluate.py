"""Explains the drawn raises: `python evaluate.py [second] [IDS] [--text] [--show]`.

A program in `programs/` is run and its exception explained live, or with `--text` from its printed traceback.
A raise without a program is explained from a synthetic traceback, whose message has a filling for each
expression of the template. Counted: the guard is shown; the values of the names in it are shown (live); the
argument that the first line of the program names is shown with the line it stands on.
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
FILLINGS = ("17", "0.5", "abc", "torch.float64", "[2, 3]")
Drawn = dict[str, str]


def caught(program: Path) -> BaseException | None:
    known = dict(os.environ)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_path(str(program), run_name="__main__")
    except BaseException as error:
        return error
    finally:
        os.environ.clear()
        os.environ.update(known)
    return None


def synthetic(drawn: Drawn) -> tuple[str, dict[str, str]]:
    """A traceback of that raise, and what the expressions of its message were filled with."""
    path = SITE / drawn["file"]
    line = int(drawn["line"])
    text = path.read_text("utf-8").splitlines()[line - 1].strip()
    message, filled = filling(statement(path, line))
    kind = re.match(r"raise ([\w.]+)", drawn["statement"])
    name = kind[1] if kind else "AssertionError" if drawn["kind"] == "assert" else "RuntimeError"
    frames = f'  File "train.py", line 12, in <module>\n    main()\n  File "{path}", line {line}, in {drawn["function"]}\n'
    return f"Traceback (most recent call last):\n{frames}    {text}\n{name}: {message}\n", filled


def statement(path: Path, line: int) -> ast.AST:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    kinds = ast.Raise | ast.Assert | ast.Call
    return next(n for n in nodes if isinstance(n, kinds) and n.lineno == line)


def filling(statement: ast.AST) -> tuple[str, dict[str, str]]:
    strings = [n for n in ast.walk(statement) if isinstance(n, ast.JoinedStr | ast.Constant)]
    inside = {id(v) for n in strings if isinstance(n, ast.JoinedStr) for v in ast.walk(n)} - {
        id(n) for n in strings
    }
    joined = [n for n in strings if isinstance(n, ast.JoinedStr)]
    if joined:
        parts, filled = [], {}
        for n, value in enumerate(joined[0].values):
            if isinstance(value, ast.Constant):
                parts.append(str(value.value))
            elif isinstance(value, ast.FormattedValue):
                filled[ast.unparse(value.value)] = FILLINGS[n % len(FILLINGS)]
                parts.append(FILLINGS[n % len(FILLINGS)])
        return "".join(parts), filled
    texts = [
        n.value
        for n in strings
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in inside
    ]
    return (texts[-1] if texts else ""), {}


def screen(explanation: Explanation) -> str:
    out = io.StringIO()
    lines = screen_of(explanation, Screen(out, "never"), Words("en"))
    return "\n".join("".join(piece.text for piece in line) for line in lines)


def has_guard(guard: str, said: str) -> bool:
    """The guard, or an operand of it that decided, is in what is printed."""
    flat = " ".join(said.split())
    node = ast.parse(guard, mode="eval").body
    operands = [node]
    while operands and isinstance(operands[0], ast.BoolOp | ast.UnaryOp):
        first = operands.pop(0)
        operands += first.values if isinstance(first, ast.BoolOp) else [first.operand]
    texts = [guard, *map(ast.unparse, operands)]
    return any(text[:70] in flat for text in texts)


def main() -> None:
    warnings.simplefilter("ignore")
    wanted = [each for each in sys.argv[1:] if each.isdigit()]
    as_text, show = "--text" in sys.argv, "--show" in sys.argv
    name = "second.json" if "second" in sys.argv else "drawn.json"
    drawn = json.loads((HERE / name).read_text("utf-8"))["raises"]
    rows = []
    for each in drawn:
        if wanted and each["id"] not in wanted:
            continue
        program = HERE / "programs" / f"{each['id']}.py"
        live = program.exists()
        error = caught(program) if live else None
        filled: dict[str, str] = {}
        start = time.process_time()
        if error is not None and not as_text:
            explanation = explain_live(
                error.__cause__ if isinstance(error, ImportWarning) else trimmed(error)
            )
        else:
            text, filled = (
                ("".join(traceback.format_exception(trimmed(error))), {})
                if error
                else synthetic(each)
            )
            explanation = explain_text(text)
        took = time.process_time() - start
        said = screen(explanation)
        argument = (
            program.read_text("utf-8").splitlines()[0].removeprefix("# argument: ") if live else ""
        )
        reason = explanation.reason
        flat = " ".join(said.split())
        row = {
            "id": each["id"],
            "live": live,
            "known": explanation.known,
            "guard": has_guard(each["guard"], said),
            "kind": reason.kind if reason else "",
            "sure": bool(reason and reason.sure),
            "values": bool(reason and any(v.value for v in reason.values)),
            "argument": None if not argument else names(argument, explanation),
            "filled": all(v in flat for v in filled.values()) if filled else None,
            "seconds": round(took, 3),
        }
        rows.append(row)
        if show:
            print(
                f"== {each['id']} {each['file']}:{each['line']} {each['kind']}: {each['guard']}  [{argument}]"
            )
            print(json.dumps(row))
            print(said)
    report(rows)


def names(argument: str, explanation: Explanation) -> bool:
    """Whether a traced value, and not only the line that is shown, has the argument."""
    values = explanation.reason.values if explanation.reason is not None else ()
    return any(v.how and argument.replace('"', "'") in v.text.replace('"', "'") for v in values)


def trimmed(error: BaseException) -> BaseException:
    """Without the frames of this file and of `runpy`."""
    at: BaseException | None = error
    while at is not None:
        tb = at.__traceback__
        while tb is not None and not tb.tb_frame.f_code.co_filename.startswith(
            str(HERE / "programs")
        ):
            tb = tb.tb_next
        at.__traceback__ = tb or at.__traceback__
        at = at.__cause__ or at.__context__
    return error


def report(rows: list[dict[str, object]]) -> None:
    for name, part in (
        ("live", [r for r in rows if r["live"]]),
        ("synthetic", [r for r in rows if not r["live"]]),
    ):
        if not part:
            continue
        print(f"{name}: {len(part)}")
        for key in ("guard", "values", "sure", "argument", "filled", "known"):
            asked = [r for r in part if r[key] is not None]
            good = [r for r in asked if r[key]]
            missing = " ".join(str(r["id"]) for r in asked if not r[key]) if key != "known" else ""
            print(f"  {key}: {len(good)} of {len(asked)}  not: {missing}")
        times = sorted(float(str(r["seconds"])) for r in part)
        print(
            f"  seconds: median {times[len(times) // 2]}, p90 {times[int(len(times) * 0.9)]}, most {times[-1]}"
        )


if __name__ == "__main__":
    main()
