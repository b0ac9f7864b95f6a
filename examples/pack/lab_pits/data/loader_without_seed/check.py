"""Source code: `make_loader` with `shard` or `shards` and without `seed`."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code


@finds(mentions=["lab.make_loader"])
def loader_without_seed(code: Code) -> Hits:
    for call in code.calls.calls_to("lab.make_loader"):
        given = {keyword.arg for keyword in call.keywords}
        if given & {"shard", "shards"} and not given & {"seed", None}:
            yield code.hit(call, say("no-seed"))
