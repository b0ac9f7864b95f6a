"""What `keng ckpt scan` takes for files made to harm or to be dear.

    python benchmarks/ckpt_hostile.py [NAME ...]

The files are those of tests/support/bad_files.py and some that cost as much as a file may: as many opcodes,
memo slots and shared nodes as the budgets let through, in a pickle, in a zip and as many members. Each is
scanned by a process of its own. Printed are its size, CPU seconds, wall seconds, the most memory and the
verdict, the dearest last; the script fails where one takes more than 2 CPU seconds or 300 MB.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parent.parent / "tests"
WRITES = """
import sys
from pathlib import Path
import bad_files
for bad in bad_files.every():
    Path(bad.file).write_bytes(bad.data)
"""
WORDS = re.compile(r"KNOWN|UNKNOWN|DANGEROUS|BROKEN")
SECONDS, MEGABYTES = 2.0, 300.0


class Row(NamedTuple):
    cpu: float
    wall: float
    memory: float
    size: int
    name: str
    verdict: str


def dear() -> dict[str, Callable[[], bytes]]:
    """Files whose cost is what they do, by the million. Each is made when it is written: what this
    process has held is reckoned into the memory of those that it starts."""
    million = 1_000_000
    return {
        "many-none.pkl": lambda: b"\x80\x02(" + b"N" * 8 * million + b"l.",
        "many-push-and-pop.pkl": lambda: b"\x80\x02" + b"N0" * 4 * million + b"N.",
        "many-tuples.pkl": lambda: b"\x80\x02(" + b")\x85" * 2 * million + b"l.",
        "many-dicts.pkl": lambda: b"\x80\x02(" + b"}" * 2 * million + b"l.",
        "many-memos.pkl": lambda: b"\x80\x04(" + b"N\x94" * 2 * million + b"l.",
        "many-gets.pkl": lambda: b"\x80\x04]\x94(" + b"h\x00" * 4 * million + b"e.",
        "many-globals.pkl": lambda: b"\x80\x02(" + b"cos\nsystem\n" * 300_000 + b"l.",
        "many-calls.pkl": lambda: b"\x80\x02(" + b"cos\nsystem\n)R" * 300_000 + b"l.",
        "many-strings.pkl": lambda: b"\x80\x02(" + b"X\x02\x00\x00\x00ab" * million + b"l.",
        "many-ints.pkl": lambda: b"\x80\x02(" + b"I12345\n" * million + b"l.",
        "deep-tuples.pkl": lambda: b"\x80\x02N" + b"\x85" * 4 * million + b".",
        "doubling.pkl": lambda: b"\x80\x02]q\x00" + b"(h\x00h\x00lq\x00" * million + b".",
        "many-pickles.pkl": lambda: b"\x80\x02N." * million,
        "one-long-number.pkl": lambda: (
            b"\x80\x02\x8b" + (4 * million).to_bytes(4, "little") + b"\x7f" * 4 * million + b"."
        ),
        "one-long-decimal.pkl": lambda: b"I" + b"9" * 4 * million + b"\n.",
        "garbage.pkl": lambda: b"\x80\x02" + bytes(range(256)) * 40_000,
    }


def scanned(path: Path) -> Row:
    begun = time.perf_counter()
    command = [sys.executable, "-m", "keng", "ckpt", "scan", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    said = process.stdout.read().decode("utf-8", "replace")
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    verdict = next(iter(WORDS.findall(said)), "-")
    wall = time.perf_counter() - begun
    return Row(cpu, wall, memory, path.stat().st_size, path.name, verdict)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="keng-hostile-") as folder:
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}
        subprocess.run([sys.executable, "-c", WRITES], cwd=folder, env=environment, check=True)
        for name, data in dear().items():
            Path(folder, name).write_bytes(data())
        paths = sorted(Path(folder).iterdir())
        asked = [p for p in paths if p.is_file() and (not sys.argv[1:] or p.name in sys.argv[1:])]
        rows = sorted(scanned(path) for path in asked)
    for row in rows:
        head = f"{row.name:32} {row.size:>11,} B {row.cpu:6.2f} s CPU {row.wall:6.2f} s"
        print(f"{head} {row.memory:6.0f} MB  {row.verdict}", flush=True)
    over = [row for row in rows if row.cpu > SECONDS or row.memory > MEGABYTES]
    print(f"{len(rows)} files; {len(over)} over {SECONDS:g} CPU seconds or {MEGABYTES:g} MB")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
