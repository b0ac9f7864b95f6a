"""Stores what keng says of many inputs, so that two trees can be compared.

    python tools/freeze.py dump CORPUS           writes the programs and error texts of this tree to a folder
    python tools/freeze.py check CORPUS OUT      findings and fixes of `keng check --select all --suspicious`
    python tools/freeze.py explain CORPUS OUT    diagnoses of all error texts
    python tools/freeze.py run CORPUS OUT        what a run and the live exception show of each program

`dump` is done once, before a structural change; the other three on both trees with the same folder. They write one
JSON line for each input, sorted, so that `diff` shows what changed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HOME = Path(__file__).parent.parent
PROGRAMS = (
    "tests/run/innocent",
    "examples",
    "evals/check",
    "evals/run",
)
PACKAGES = ("accelerate", "peft", "lightning", "torch/nn", "torch/optim", "torch/utils")


def dump(corpus: Path) -> None:
    """Every program and message of the pitfalls, the exams, and the reports."""
    from keng import pitfalls
    from keng.battery.cases import cases_of

    for each in PROGRAMS:
        shutil.copytree(HOME / each, corpus / each, dirs_exist_ok=True)
    texts: dict[str, str] = {}
    notes: dict[str, str] = {}
    for unit in pitfalls.every():
        for n, case in enumerate(cases_of(unit)):
            key = f"{unit.name}-{n:03}"
            if case.label == "Message":
                texts[key] = case.text
            elif case.label in ("Bad", "Good", "Fine"):
                file = corpus / "programs" / unit.group / f"{key}-{case.label.lower()}.py"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(case.text)
                notes[f"{unit.group}/{file.name}"] = case.note
    for path in sorted((HOME / "evals/explain").glob("*/reports.toml")):
        for n, report in enumerate(tomllib.loads(path.read_text("utf-8"))["report"]):
            texts[f"{path.parent.name}-{n:03}"] = report["text"]
    (corpus / "texts.json").write_text(json.dumps(texts, indent=0, ensure_ascii=False))
    (corpus / "notes.json").write_text(json.dumps(notes, indent=0))


def check(corpus: Path, out: Path) -> None:
    import torch

    packages = Path(torch.__file__).parent.parent
    folders = [
        corpus / "programs",
        *(corpus / each for each in PROGRAMS),
        *(packages / p for p in PACKAGES),
    ]
    rows = []
    for folder in folders:
        if not folder.exists():
            continue
        done = subprocess.run(
            [sys.executable, "-m", "keng", "check", "--select", "all", "--suspicious", "--no-cache", "--no-gitignore",
             "--json", "."],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        told = json.loads(done.stdout)
        name = folder.name
        rows += [
            json.dumps(
                {"folder": name, **found, "message_id": None, "values": None},
                sort_keys=True,
                ensure_ascii=False,
            )
            for found in told["findings"]
        ]
        rows += [
            json.dumps({"folder": name, **skipped}, sort_keys=True) for skipped in told["blind"]
        ]
    out.write_text("\n".join(sorted(rows)) + "\n")


def explain(corpus: Path, out: Path) -> None:
    from keng.explain.engine import explain_text

    rows = []
    for key, text in json.loads((corpus / "texts.json").read_text()).items():
        told = explain_text(text, source=False)
        diagnoses = [
            {"pitfall": d.pitfall, "confidence": round(d.confidence, 4), "says": says(d.hit), "sure": d.hit.sure,
             "fix": d.hit.fix.title if d.hit.fix else "", "why": list(d.why)}
            for d in told.diagnoses
        ]  # fmt: skip
        row = {"key": key, "known": told.known, "pytorch": told.pytorch, "diagnoses": diagnoses}
        rows.append(json.dumps(row, sort_keys=True, ensure_ascii=False))
    out.write_text("\n".join(sorted(rows)) + "\n")


def says(hit: Any) -> str:
    return str(getattr(hit, "says", None) or hit.message)


def run(corpus: Path, out: Path) -> None:
    """Programs of one process; those that need several ranks or a library that is not there are left to the tests."""
    from keng.battery.programs import Program, Programs

    notes = json.loads((corpus / "notes.json").read_text())
    executed = Programs()
    started = {}
    for path in sorted((corpus / "programs").rglob("*.py")):
        key = path.relative_to(corpus / "programs").as_posix()
        if not re.search(r"\d+ ranks", notes[key]):
            started[executed.start(Program(path.read_text()))] = key
    rows = []
    for future in as_completed(started):
        o = future.result()
        row = {
            "key": started[future], "raised": o.raised.strip().rpartition("\n")[2][:300], "died": o.died,
            **{name: [[e.pitfall, e.says, e.line, e.sure] for e in getattr(o, name)]
               for name in ("found", "by_text", "alive", "filed")},
        }  # fmt: skip
        rows.append(json.dumps(row, sort_keys=True, ensure_ascii=False))
    executed.close()
    out.write_text("\n".join(sorted(rows)) + "\n")


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    {"dump": dump, "check": check, "explain": explain, "run": run}[command](*map(Path, paths))
