"""Writes src/keng/tables/message_evidence.names: how often each message was right on the reports of evals/explain.

Usage: python tools/message_evidence.py

Sets that nothing was tuned on are left out: tests/explain/test_calibration.py measures the promise on them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from evals.sets import sets_of  # noqa: E402
from evals.surfaces import explain  # noqa: E402
from keng.explain.engine import explain_text  # noqa: E402
from keng.model import Message  # noqa: E402

OUT = ROOT / "src" / "keng" / "tables" / "message_evidence.names"
HEAD = "# pitfall message | reports on which it was right | wrong, by tools/message_evidence.py"


def main() -> None:
    right, wrong = Counter[str](), Counter[str]()
    for key, fits in _first_messages():
        (right if fits else wrong)[key] += 1
    rows = [f"{key}|{right[key]}|{wrong[key]}" for key in sorted({*right, *wrong})]
    OUT.write_text("\n".join([HEAD, *rows]) + "\n", "utf-8")


def _first_messages() -> Iterator[tuple[str, bool]]:
    """Of each report the message that is printed first, and whether it is an accepted one."""
    for chosen in sets_of("explain"):
        if str(chosen.manifest.get("state", "")).startswith("not tuned on"):
            continue
        for task in explain.tasks(chosen):
            for first in explain_text(task.report["text"], source=False).diagnoses[:1]:
                says = first.hit.says
                id = says.id if isinstance(says, Message) else ""
                yield f"{first.pitfall} {id}".strip(), first.pitfall in task.report["units"]


if __name__ == "__main__":
    main()
