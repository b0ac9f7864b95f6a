"""Source code: each worker goes through the whole of an iterable dataset."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.data._shared import starts_plain_workers
from keng.rules import finds
from keng.source import Code

READING = frozenset(["builtins.open", "builtins.range", "gzip.open", "csv.reader"])
"""What gives the same items to whoever goes through it again."""
DIVIDES = re.compile(r"worker|rank|\.shard\(|shard_|_shards?\b|replica|world", re.IGNORECASE)
ENDLESS_OR_RANDOM = re.compile(r"while True|while 1|\brand|random|cycle|count|repeat")


@finds(mentions=["DataLoader"])
def whole_stream_in_each_worker(code: Code) -> Hits:
    for loader in code.calls.calls_to("torch.utils.data.DataLoader"):
        for name, reads in (
            _whole_streams(code, loader) if starts_plain_workers(code, loader) else ()
        ):
            workers = code.calls.argument(loader, "num_workers", position=5)
            says = say("each-worker-reads-all", name=name)
            if workers is not None:
                says = say("each-of-workers-reads-all", workers=code.text_of(workers), name=name)
            yield code.hit(loader, says, sure=reads)


def _whole_streams(code: Code, loader: ast.Call) -> Iterator[tuple[str, bool]]:
    """The name of the IterableDataset of a DataLoader where its `__iter__` ends, is not random and
    takes no notice of workers; True where it is known to read the same in each of them."""
    made = code.types.value_of(code.calls.argument(loader, "dataset", 0)).definition
    alone = code.flow.is_constant(code.calls.argument(loader, "num_workers", 5), 1)
    if alone or made is None or not isinstance(made.node, ast.ClassDef):
        return
    tree, owner = made.tree, made.node
    if "torch.utils.data.IterableDataset" not in map(code.names.of(tree).resolve, owner.bases):
        return
    stream = code.loaders.of(tree).own_method(owner, "__iter__")
    if stream is None or DIVIDES.search(tree.text_of(owner)):
        return
    if not ENDLESS_OR_RANDOM.search(tree.text_of(stream)):
        calls = {
            code.names.of(tree).resolve(call.func) for call in tree.descendants(stream, ast.Call)
        }
        yield owner.name, not calls.isdisjoint(READING)
