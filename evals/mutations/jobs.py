"""`python -m evals.mutations.jobs`: faults planted in the clean programs of evals/ranks.

draw                 writes evals/ranks/mutations/planted.jsonl
run [--half aside]   runs them, and counts by operator what is named; --details prints those of `tune`
show ID ...          prints the difference that a mutation makes

The programs are split by their names, and run under `keng run`. A mutant that raises an error of its own is
counted as `raises` and is no case. One that hangs is a case: `--stall 8` and `--abort-on-stall` end it.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from evals import trial
from evals.mutations import commands, several_ranks
from evals.mutations.operators import OPERATORS, applied
from evals.mutations.rows import HALVES, Drifted, digest, places
from evals.sets import HOME, Program, sets_of

FILE = HOME / "ranks/mutations/planted.jsonl"
VERDICTS = ("named", "other", "silent")
SEED, MOST = 33, 2
LOST = re.compile(r"Connection (closed|reset|refused)|[Tt]imed out|[Tt]imeout|Broken pipe|Gloo")
"""The last line of a rank that has lost another one, which has ended or stands."""


@dataclass(frozen=True)
class Planted:
    """`digest` is of the text with the fault."""

    id: str
    half: str
    operator: str
    set: str
    program: str
    line: int
    seed: int
    digest: str


def programs() -> dict[tuple[str, str], Program]:
    """The clean programs that a launcher does not have to start again."""
    found = {
        (chosen.name, program.name): program
        for chosen in sets_of("ranks")
        for program in chosen.programs()
        if not program.faulty and program.path.is_file()
    }
    return {key: each for key, each in found.items() if not each.settings.get("restarts")}


def half(program: str) -> str:
    return HALVES[int(digest(program.encode()), 16) % 2]


def draw() -> Iterator[Planted]:
    """At most `MOST` mutants of each operator and half, one of each program."""
    for operator in OPERATORS.values():
        drawn = Counter[str]()
        keys = sorted(programs())
        random.Random(f"{SEED} {operator.name}").shuffle(keys)
        for key in keys:
            data = programs()[key].path.read_bytes()
            there = places(operator, data)
            if not there or drawn[half(key[1])] == MOST:
                continue
            drawn[half(key[1])] += 1
            chance = random.Random(f"{SEED} {operator.name} {key}")
            seed = chance.randrange(10_000)
            change = random.Random(seed).choice(there)
            name = digest(f"{operator.name} {key} {seed}".encode())[:8]
            text = digest(applied(data, change))
            yield Planted(name, half(key[1]), operator.name, *key, change.line, seed, text)


def read() -> list[Planted]:
    return [Planted(**json.loads(line)) for line in FILE.read_text("utf8").splitlines()]


def text_of(planted: Planted) -> bytes:
    """The program with the fault. Raises Drifted."""
    data = programs()[planted.set, planted.program].path.read_bytes()
    there = places(OPERATORS[planted.operator], data)
    text = applied(data, random.Random(planted.seed).choice(there)) if there else data
    if digest(text) != planted.digest:
        raise Drifted(f"{planted.id}: {planted.operator} makes another text of {planted.program}")
    return text


def judge(planted: Planted) -> tuple[str, list[str]]:
    """The verdict, and what was found: pitfall, line and sentence."""
    ranks = programs()[planted.set, planted.program].settings.get("ranks", 2)
    done = trial.run_text(f"{planted.program}.py", text_of(planted), ranks, watched=True)
    found = [f"{f['pitfall']}:{f['line']} {f['says']}" for f in done.findings]
    if any(f["pitfall"] in OPERATORS[planted.operator].accepts for f in done.findings):
        return "named", found
    if raises(done.errors):
        return "raises", [raises(done.errors)]
    return "other" if found else "silent", found


def raises(errors: str) -> str:
    """The last line of a traceback that is not that of a rank which has lost another."""
    text = re.sub(r"^\[rank\d+\]: ", "", errors, flags=re.M)
    ends = re.findall(r"^Traceback .*?^(\w[\w.]*(?:Error|Exception).*?)$", text, re.M | re.S)
    own = [end for end in ends if not LOST.search(end)]
    return own[0] if own else ""


def show(planted: Planted) -> None:
    before = programs()[planted.set, planted.program].path.read_bytes()
    names = (f"{planted.operator} {planted.id}", f"{planted.set}/{planted.program}")
    commands.print_difference(names, before, text_of(planted), context=3)


def run(chosen: list[Planted], details: bool) -> None:
    """In the order of the ids, so that what a run that is broken off has done is a fair part. What is found
    in the half that is only measured is not printed."""
    counts = defaultdict[tuple[str, str], Counter[str]](Counter)
    for planted in sorted(chosen, key=lambda each: each.id):
        verdict, found = judge(planted)
        counts[planted.half, planted.operator][verdict] += 1
        shown = [planted.program, found] if details and planted.half == "tune" else []
        print(json.dumps([verdict, planted.operator, planted.id, *shown]), flush=True)
    totals = defaultdict[str, Counter[str]](Counter)
    for (side, name), count in sorted(counts.items()):
        totals[side].update(count)
        print(_row(name, side, count))
    for side, count in totals.items():
        print(_row("all", side, count))


def _row(name: str, side: str, count: Counter[str]) -> str:
    cases = sum(count[verdict] for verdict in VERDICTS)
    return commands.row(name, side, count, cases, (*VERDICTS, "raises"))


def main() -> None:
    options = commands.parser("evals.mutations.jobs", __doc__).parse_args()
    assert several_ranks.WRAPS, "its operators are registered by the import"
    if options.command == "draw":
        FILE.write_text("".join(json.dumps(asdict(row)) + "\n" for row in draw()), "utf8")
        return
    if options.ids:
        options.half = "both"
    chosen = commands.chosen(read(), options)
    if options.command == "show":
        for each in chosen:
            show(each)
    else:
        run(chosen, options.details)


if __name__ == "__main__":
    main()
