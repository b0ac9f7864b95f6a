"""`keng ckpt scan` and other scanners on the hostile files of evals/ckpt, in one table.

    python -m evals.peers.ckpt_hostile NAME=PYTHON ...

NAME is `picklescan`, `fickling`, `modelscan` or `modelaudit`, PYTHON the interpreter of an environment that
has it. Each runs in one process over all files, a minute for each file at most. "seen" is any issue that it
reports; "passed" that it reports none; "failed" that it raised an error, timed out, or scanned nothing.
Nothing is loaded. Printed are the counts of all files, of those proven to act, and the files that a scanner
passed although they act.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evals.sets import HOME

sys.path.insert(0, str(HOME / "ckpt"))

import hostile

DRIVER = """
import contextlib, io, json, logging, os, signal, sys
logging.disable(logging.CRITICAL)

def late(*_):
    raise TimeoutError

signal.signal(signal.SIGALRM, late)
found = {}
for name in sorted(os.listdir(sys.argv[1])):
    path = os.path.join(sys.argv[1], name)
    signal.alarm(60)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            found[name] = scan(path)
    except BaseException as error:
        found[name] = "failed"
    signal.alarm(0)
sys.stdout.write("\\n" + json.dumps(found) + "\\n")
"""
SCANS = {
    "keng": """
from keng.ckpt.reading import read_checkpoint
from keng.ckpt.verdict import judge
def scan(path):
    return "passed" if judge(read_checkpoint(path)).word == "KNOWN" else "seen"
""",
    "picklescan": """
from picklescan.scanner import scan_file_path
def scan(path):
    found = scan_file_path(path)
    if found.issues_count:
        return "seen"
    return "failed" if found.scan_err or not found.scanned_files else "passed"
""",
    "fickling": """
import fickling
def scan(path):
    return "passed" if fickling.is_likely_safe(path) else "seen"
""",
    "modelscan": """
from modelscan.modelscan import ModelScan
def scan(path):
    scanner = ModelScan()
    found = scanner.scan(path)
    if found["summary"]["total_issues"]:
        return "seen"
    return "failed" if found["errors"] or not found["summary"]["scanned"]["total_scanned"] else "passed"
""",
    "modelaudit": """
from modelaudit.core import scan_model_directory_or_file
def scan(path):
    found = scan_model_directory_or_file(path)
    grave = [issue for issue in found.issues if issue.severity.value in ("warning", "critical")]
    if grave:
        return "seen"
    return "passed" if found.success else "failed"
""",
}
WORDS = ("seen", "failed", "passed")


def scanned(name: str, python: str, folder: str) -> dict[str, str]:
    """What a scanner says of each file."""
    environment = {**os.environ, "PROMPTFOO_DISABLE_TELEMETRY": "1", "NO_ANALYTICS": "1"}
    program = SCANS[name] + DRIVER
    done = subprocess.run(
        [python, "-W", "ignore", "-c", program, folder],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    said: dict[str, str] = json.loads(done.stdout.strip().rpartition("\n")[2])
    return said


def main() -> int:
    pythons = {"keng": sys.executable}
    pythons |= dict(given.split("=", 1) for given in sys.argv[1:])
    files = hostile.every()
    proven = json.loads((HOME / "ckpt" / "proven.json").read_text())
    acting = {name for name, acts in proven.items() if acts}
    with tempfile.TemporaryDirectory(prefix="keng-eval-") as folder:
        for each in files:
            Path(folder, each.file).write_bytes(each.data)
        found = {name: scanned(name, python, folder) for name, python in pythons.items()}
    print(
        f"| {len(files)} files, {len(acting)} proven to act | seen | failed | passed | of these proven |"
    )
    print("|---|---|---|---|---|")
    for name, words in found.items():
        counts = Counter(words.values())
        missed = sorted(file for file, word in words.items() if word == "passed" and file in acting)
        print(f"| {name} | {' | '.join(str(counts[word]) for word in WORDS)} | {len(missed)} |")
    for name, words in found.items():
        missed = sorted(file for file, word in words.items() if word == "passed" and file in acting)
        print(f"\n{name} passes, of those that act: {', '.join(missed) or 'none'}")
    return int("passed" in found["keng"].values())


if __name__ == "__main__":
    sys.exit(main())
