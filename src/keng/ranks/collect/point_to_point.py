"""What this rank sends to single others and receives from them: torch's flight recorder tells none of it
where the backend is gloo.

The methods of ProcessGroup are tapped, through which all of them go. `isend` and `irecv` themselves are
not to be replaced: torch compares them by identity with what a program has imported.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from typing import Any
from weakref import ref

import torch.distributed as dist

from keng.ranks.calls import ANY, Mail, Message, Way
from keng.ranks.collect.journal import collective
from keng.ranks.collect.wrapped_collectives import frames
from keng.run.taps.patches import Patches

REMEMBERED = 64


class Messages:
    def __init__(self) -> None:
        self.made = 0
        self._counts: dict[bool, Counter[Way]] = {True: Counter(), False: Counter()}
        self._last: deque[tuple[Message, ref[Any]]] = deque(maxlen=REMEMBERED)
        self._patches = Patches()
        for name in ("send", "recv", "recv_anysource"):
            if not hasattr(dist.ProcessGroup, name):  # no part of what torch promises
                continue
            wrapper = self._wrapper(name, getattr(dist.ProcessGroup, name))
            self._patches.put(dist.ProcessGroup, name, wrapper)

    def read(self) -> Mail:
        """What was sent and received, and what is on its way: asked for, and not done."""
        works = [(message, work()) for message, work in tuple(self._last)]
        waits = tuple(m for m, work in works if work is not None and not work.is_completed())
        return Mail(dict(self._counts[True]), dict(self._counts[False]), waits)

    def close(self) -> None:
        self._patches.undo()

    def _wrapper(self, name: str, original: Any) -> Any:
        def tapped(group: Any, *args: Any, **kwargs: Any) -> Any:
            work = original(group, *args, **kwargs)
            try:
                tensors, *peer, tag = args
                self._keep(name == "send", group, tensors, peer[0] if peer else None, tag, work)
            except Exception:  # called in a way that this torch does not use
                self.made += 1
            return work

        return tapped

    def _keep(
        self, sends: bool, group: Any, tensors: Any, peer: int | None, tag: int, work: Any
    ) -> None:
        spoken = dist.distributed_c10d._world.pg_names.get(group, "")
        rank = ANY if peer is None else dist.get_process_group_ranks(group)[peer]
        way = Way(spoken, rank, tag)
        self._counts[sends][way] += 1
        shapes = tuple(tuple(tensor.shape) for tensor in tensors)
        dtype = str(tensors[0].dtype).removeprefix("torch.")
        made = collective("send" if sends else "recv", shapes, dtype, frames(sys._getframe(2)))
        self._last.append((Message(sends, way, self._counts[sends][way], made), ref(work)))
        self.made += 1
