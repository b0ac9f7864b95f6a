"""Runs a program under the runtime engine with nothing of the command line around it."""

import sys

from keng import pitfalls
from keng.run.launch import run

if __name__ == "__main__":
    is_module = sys.argv[1] == "-m"
    target, *args = sys.argv[2 if is_module else 1 :]
    sys.exit(
        run(
            target,
            args,
            module=is_module,
            pitfalls=[pitfall for pitfall in pitfalls.every() if "run" in pitfall.surfaces],
            on_error=lambda error: print("keng: error", type(error).__name__, file=sys.stderr),
            on_end=lambda result: print("keng: end", len(result.findings), file=sys.stderr),
        )
    )
