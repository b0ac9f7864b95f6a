"""Source code: every rank works through the same batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.distributed._shared import depends_on_rank
from keng.rules import finds
from keng.source import Code
from keng.source.processes import WRAPS


@finds(mentions=WRAPS)
def whole_on_every_rank(code: Code) -> Hits:
    for loader in _shuffled_whole(code):
        yield code.hit(loader, say("loader-without-sampler"))


def _shuffled_whole(code: Code) -> Iterator[ast.Call]:
    """DataLoaders that shuffle all of the data on every rank, in a file that trains a model wrapped
    for several, and says nothing of sharding."""
    words = (b"DistributedSampler", b"shard", b"rank:", b"prepare(", b"datapipe")
    if not code.processes.wraps or any(
        code.trees.files.contains(word, code.path) for word in words
    ):
        return
    for loop in code.loops.training:
        made = code.loaders.loader_made(loop.iterable)
        if made is None or made not in code.tree.parent:
            continue
        given = {k.arg for k in made.keywords}
        shuffles = any(k.arg == "shuffle" and code.flow.is_true(k.value) for k in made.keywords)
        data = code.calls.argument(made, "dataset", 0)
        mine = data is not None and depends_on_rank(code, data)
        if shuffles and not mine and not given & {"sampler", "batch_sampler", None}:
            yield made
