"""Runs a program for a few steps and writes down every operation, so that two runs can be compared.

`keng run --twice` calls `python -m keng.run.replay.traced_run FILE STEPS TARGET|-m MODULE [args ...]`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from keng.run.launch import run
from keng.run.plan import Plan


def main(words: list[str]) -> int:
    file, steps, *program = words
    module = program[0] == "-m"
    target, *args = program[module:]
    plan = Plan(steps=int(steps), trace=Path(file))
    return run(target, args, module=module, pitfalls=[], plan=plan)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
