"""Source code: each worker goes through the whole of an iterable dataset."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def whole_stream_in_each_worker(code: Code) -> Hits:
    for loader in code.calls_to("torch.utils.data.DataLoader"):
        for name, reads in code.whole_streams(loader) if code.forks(loader) else ():
            workers = code.argument(loader, "num_workers", position=5)
            times = f"each of {code.text_of(workers)} workers" if workers else "each worker"
            yield code.hit(loader, f"{times} goes through all of `{name}`", sure=reads)
