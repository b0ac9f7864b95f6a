"""What `keng env` says of machines that it had never seen.

Usage: python benchmarks/machines_unseen/bench.py [--second] [--show] [NAME ...]

Each file of broken/ and sound/ describes a machine as tests/machines.py builds it; of a broken one `wants`
is a pattern that a finding has to match. errors.toml pairs error texts with machines, for `env --for`.
Prints a row for each: whether the fault is told, and what else is said. `--show` prints the findings.

Blind (5b97e50): 21 of 25 told; missed `arch_list_left`, `cards_by_torch_name`, `cards_with_spaces`,
`one_thread`. Of the sound ones `mac` was accused, not surely. 12 of 22 error texts were answered; the
three that no machine is to blame for stayed quiet. Two machines had another user than the owner of their
device files, by mistake of the exam, which was told and is taken out. After mending: all.

The second exam (`--second`, second/: 17 broken machines, most after threads that their second lines name,
10 sound unusual ones, 20 error texts). Blind (7d98f81): 7 of 17 told; 3 of the sound ones accused surely (a
Jetson three times, two with a toolkit newer than the driver); of 16 texts whose cause was said to lie on
the machine 6 were answered, the other four stayed quiet. After mending: 16 of 17, no sure alarm, 14 of 15.
Five recordings were wrong or not whole and were put right after that run: a container without the driver's
file of its host, a /proc without this process, packages without RECORD, a kernel without modules.dep, and
a text for which a laptop without a card is not to blame. With these alone two machines more would have
been told. Still missed: Triton that asks /sbin/ldconfig on NixOS.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from keng import pitfalls  # noqa: E402
from keng.cli.env import bearing  # noqa: E402
from keng.env import engine  # noqa: E402
from keng.model import Finding, Pitfall  # noqa: E402
from machines import built, told  # noqa: E402


def findings(table: dict[str, Any], units: list[Pitfall]) -> list[Finding]:
    plain = {name: value for name, value in table.items() if name != "wants"}
    with tempfile.TemporaryDirectory() as folder:
        return engine.run(built(plain, Path(folder)), units).findings


def words(finding: Finding) -> str:
    hit = finding.hit
    doubt = "" if hit.sure else " (not sure)"
    seen = "; ".join(f"{name}: {value}" for name, value in hit.evidence.items())
    return (
        f"{finding.pitfall}{doubt}: {hit.says}\n    {seen}\n    {hit.fix.title if hit.fix else ''}"
    )


def judge(name: str, wants: str, found: list[Finding], show: bool) -> None:
    right = [each for each in found if wants and re.search(wants, words(each))]
    other = [each.pitfall for each in found if each not in right]
    print(f"{name:34}", "told" if right else "MISSED" if wants else "", *other)
    if show:
        print(*("  " + words(each) for each in found), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--second", action="store_true", help="the second exam")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    exam = HERE / "second" if asked.second else HERE
    units = list(pitfalls.having("probes"))
    tables = {
        f"{kind}/{f.stem}": told(f.read_text())
        for kind in ("broken", "sound")
        for f in sorted((exam / kind).glob("*.toml"))
    }
    for name, table in tables.items():
        if not asked.names or name in asked.names:
            judge(name, table.get("wants", ""), findings(table, units), asked.show)
    for each in told((exam / "errors.toml").read_text())["error"]:
        if not asked.names or each["machine"] in asked.names:
            asks = bearing(units, each["text"])
            found = findings(tables[each["machine"]], asks)
            judge(f"{each['machine']}: {each['text'][:60]}", each["wants"], found, asked.show)


if __name__ == "__main__":
    main()
