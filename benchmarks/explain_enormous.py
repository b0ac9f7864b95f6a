"""What `keng explain` takes for texts of a megabyte that are made to slow it down.

Usage: python benchmarks/explain_enormous.py

Prints the seconds of CPU time for each text of tests/explain/test_robustness.py, slowest first.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path[:0] = [
    str(Path(__file__).parent.parent / f"tests/{room}") for room in ("support", "explain")
]

from test_robustness import ENORMOUS  # noqa: E402

from keng.explain.engine import explain_text  # noqa: E402


def seconds(text: str) -> float:
    start = time.process_time()
    explain_text(text)
    return time.process_time() - start


def main() -> int:
    explain_text("warm")
    took = {what: seconds(text) for what, text in ENORMOUS.items()}
    for what, each in sorted(took.items(), key=lambda pair: -pair[1]):
        print(f"{each:6.2f} s  {len(ENORMOUS[what]) / 1e6:4.1f} MB  {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
