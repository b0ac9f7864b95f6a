"""Source code: algorithms are tried out for speed in a run that is to be repeatable."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def fast_and_repeatable(code: Code) -> Hits:
    for benchmark in code.switched_on("torch.backends.cudnn.benchmark"):
        if not code.asks_for_repetition(benchmark):
            continue
        fix = Fix("Do not try out algorithms", (code.replace(benchmark.value, "False"),))
        says = "trying out algorithms undoes `deterministic`: runs differ in their last digits"
        yield code.hit(benchmark, says, fix=fix)
