"""Programs with one planted fault that ends them: drawn, run under `keng run`, and what keng says judged.

A program is a file of `evals/` ("run/silent-1/clean/first_nan.py") or of a public repository. The edit that
plants a fault is the truth: nobody writes down what an answer should say.
"""

from __future__ import annotations

import ast
import random
import re
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from evals import trial
from evals.mutations.crashes import UNDONE
from evals.mutations.mirrors import Mirror
from evals.mutations.operators import Change, Edit, Operator, applied
from evals.mutations.rows import Mutation, change_of, digest, drawn, halves, places
from evals.sets import HOME
from evals.surfaces.live import lines_named, printed

FOLDER = HOME / "explain/mutations"
TRIES = 4
"""Programs that are run for each mutant that is wanted, until one raises."""
WORD = re.compile(r"[A-Za-z_]\w*|\d+")
PLAIN = frozenset({"self", "torch", "nn", "F", "x", "dim", "np"})
ALIKE = (
    {"view", "reshape", "flatten", "Flatten"},
    {"permute", "transpose", "T", "mT", "movedim"},
    {"unsqueeze", "None"},
    {"stack", "cat"},
    {"float", "float32"},
    {"long", "int64"},
)
"""Words of which one undoes what another one did."""
ADVICE = re.compile(r"(?<=[.:]) (?=[A-Z`])")
"""Where a sentence goes over to its advice."""
RAISED = re.compile(r"^(?:\w+\.)*(\w+(?:Error|Exception|StopIteration))\b", re.MULTILINE)


class Program(NamedTuple):
    """`repository` is empty for a file of evals/."""

    repository: str
    commit: str
    path: str

    @classmethod
    def of(cls, text: str) -> Program:
        """Reads "run/set/clean/x.py" or "owner/name@commit:path"."""
        if "@" not in text:
            return cls("", "", text)
        repository, _, rest = text.partition("@")
        return cls(repository, *rest.split(":", 1))

    def data(self, mirrors: Path) -> bytes:
        """Raises OSError or CalledProcessError where it is not to be had."""
        return _data(self, mirrors)


@lru_cache
def _data(program: Program, mirrors: Path) -> bytes:
    if not program.repository:
        return (HOME / program.path).read_bytes()
    mirror = Mirror(mirrors, program.repository, program.commit)
    (data,) = mirror.texts([mirror.blobs()[program.path]]).values()
    return data


class Judged(NamedTuple):
    """What keng said of a planted fault. `first` is whether the likeliest diagnosis, or its fix, is at the
    planted line; `named` whether any line of the answer is; `undone` whether what it proposes takes the fault
    back; `beside` are lines of the likeliest diagnosis that have nothing to do with it."""

    mutation: Mutation
    first: bool
    named: bool
    undone: bool
    beside: list[int]
    kind: str
    pitfall: str
    confidence: float
    shown: str


def draw(operator: Operator, half: str, mirrors: Path, seed: int, most: int) -> Iterator[Mutation]:
    """Mutants that raise, `most` of them and one of a program."""
    chance = random.Random(f"{seed} {operator.name} {half}")
    names = sorted(halves(FOLDER)[half])
    chance.shuffle(names)
    kept = tries = 0
    for program in map(Program.of, names):
        if kept == most or tries == TRIES * most:
            return
        data = program.data(mirrors)
        there = places(operator, data)
        if not there:
            continue
        line, choice, change = drawn(there, chance)
        text = applied(data, change)
        tries += 1
        if not _raises(text):
            continue
        kept += 1
        id = digest(f"{operator.name} {program} {line} {choice}".encode())[:8]
        yield Mutation(id, half, operator.name, *program, line, choice, digest(text))


def _raises(text: bytes) -> bool:
    """Whether a program ends with an exception by itself."""
    ran = trial.run_text("train.py", text)
    return ran.code == 1 and bool(RAISED.findall(ran.errors))


def judge(mutation: Mutation, mirrors: Path) -> Judged:
    """Runs a mutant under `keng run`. Raises Drifted, OSError or CalledProcessError."""
    program = Program(mutation.repository, mutation.commit, mutation.path)
    data = program.data(mirrors)
    change = change_of(mutation, data)
    text = applied(data, change)
    with tempfile.TemporaryDirectory() as home:
        file = Path(home, "train.py")
        file.write_bytes(text)
        ran = trial.run(file, Path(home, "results"), watched=True)
        every = set(lines_named(ran.error, file))
        shown = printed(ran).replace(f"{home}/", "")
    planted = planted_lines(data, change)
    best = next(iter(ran.error.get("diagnoses") or ()), {})
    lines = _lines_of(best, ran.error, text)
    return Judged(
        mutation,
        bool(planted & lines),
        bool(planted & every),
        _is_undone(mutation, data, text, change, best, shown),
        sorted(lines - _related(text, planted, ran.errors)),
        str(ran.error.get("kind", "")),
        str(best.get("pitfall", "")),
        float(best.get("confidence", 0)),
        shown,
    )


def planted_lines(data: bytes, change: Change) -> set[int]:
    """The lines of the planted text that an edit wrote, or took something out of."""
    lines, moved = set[int](), 0
    for edit in sorted(change.edits):
        start = data[: edit.start].count(b"\n") + 1 + moved
        lines |= set(range(start, start + edit.text.count("\n") + 1))
        moved += edit.text.count("\n") - data[edit.start : edit.end].count(b"\n")
    return lines


def _lines_of(best: dict[str, Any], error: dict[str, Any], text: bytes) -> set[int]:
    """The lines of the likeliest diagnosis and of its fix; of an unknown error the place."""
    place = error.get("place") or {}
    lines = {best.get("line") if best else place.get("line")}
    for edit in (best.get("fix") or {}).get("edits", ()) if best else ():
        lines.add(text.decode()[: edit["start"]].count("\n") + 1)
    return {line for line in lines if line}


def _is_undone(
    mutation: Mutation, data: bytes, text: bytes, change: Change, best: dict[str, Any], shown: str
) -> bool:
    """Whether the fix gives the program back, or the words of the proposal have what was taken away."""
    edits = (best.get("fix") or {}).get("edits", ())
    if edits and _same(_edited(text.decode(), edits), data.decode()):
        return True
    if not best:
        told = "\n".join(r for r in shown.splitlines() if not re.match(r"\s*\d* \|", r))
        fact, proposed = told, told
    else:
        fact, *rest = ADVICE.split(best.get("says") or "")
        title = (best.get("fix") or {}).get("title", "")
        proposed = " ".join([*rest, best.get("advice") or "", title, *(e["text"] for e in edits)])
    if mutation.operator in UNDONE:
        return bool(UNDONE[mutation.operator].search(f"{fact} {proposed}"))
    return any(_takes_back(data, edit, fact, proposed) for edit in change.edits)


def _takes_back(data: bytes, edit: Edit, fact: str, proposed: str) -> bool:
    before, after = data[edit.start : edit.end].decode(), WORD.findall(edit.text)
    lost = [word for word in WORD.findall(before) if word not in after]
    names = {word for word in lost if not word.isdigit()} - PLAIN
    if names:
        wanted = names.union(*(alike for alike in ALIKE if alike & names))
        return bool(wanted & set(WORD.findall(f"{fact} {proposed}")))
    if lost:
        return bool(set(lost) & set(WORD.findall(proposed)))
    values = _constants(data).get(before.strip())
    number = rf"|\b{values}\b" if values is not None else ""
    whole = rf"(?<![\w.]){re.escape(before.strip())}(?![\w.]| [-+*/])"
    return bool(before.strip()) and bool(re.search(whole + number, proposed))


def _constants(data: bytes) -> dict[str, int]:
    """The names of a file that are given one number, and it."""
    found: dict[str, set[int]] = {}
    for node in ast.walk(ast.parse(data)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int() as n)):
                found.setdefault(name, set()).add(n)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for target, value in zip(names, values, strict=False):
                    if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
                        found.setdefault(target.id, set()).add(value.value)  # type: ignore[arg-type]
    return {name: min(values) for name, values in found.items() if len(values) == 1}


def _edited(text: str, edits: list[dict[str, Any]]) -> str:
    for edit in sorted(edits, key=lambda e: -e["start"]):
        text = text[: edit["start"]] + edit["text"] + text[edit["end"] :]
    return text


def _same(one: str, other: str) -> bool:
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return False


def _related(text: bytes, planted: set[int], errors: str) -> set[int]:
    """The planted lines, those of the traceback, and those that share a name with one of them."""
    traced = {int(n) for n in re.findall(r'train\.py", line (\d+)', errors)}
    names: dict[int, set[str]] = {}
    for node in ast.walk(ast.parse(text)):
        name = (
            getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
        )
        if isinstance(name, str) and name not in PLAIN:
            names.setdefault(getattr(node, "lineno", 0), set()).add(name)
    near = set[str]().union(*(names.get(line, set()) for line in planted | traced))
    return planted | traced | {line for line, there in names.items() if there & near}
