"""What a member asks of the process that it is in: a simulated one answers the same questions."""

from __future__ import annotations

import os
import platform
import sys
from threading import get_ident
from time import monotonic
from types import FrameType
from typing import Protocol

import torch.distributed as dist

from keng.env.cgroups import kills
from keng.env.files import Files
from keng.ranks.calls import Mail, Standing
from keng.ranks.collect import journal, position
from keng.ranks.collect.journal import FlightRecorder, Journal, Read
from keng.ranks.collect.last_words import LastWords
from keng.ranks.collect.messages import Hello
from keng.ranks.collect.point_to_point import Messages
from keng.ranks.collect.wrapped_collectives import Wrapped


class Process(Protocol):
    """`now` is a clock in seconds that never goes back; `pulse` counts the collectives made, `sent` the
    messages between two ranks; `read` returns the collectives since the last call."""

    rank: int
    world: int

    def now(self) -> float: ...
    def hello(self) -> Hello: ...
    def pulse(self) -> int: ...
    def sent(self) -> int: ...
    def read(self) -> Read: ...
    def mail(self) -> Mail: ...
    def groups(self) -> dict[str, tuple[int, ...]]: ...
    def standing(self, read: Read, mail: Mail, made: int) -> Standing: ...
    def frame(self) -> FrameType | None: ...
    def close(self) -> None: ...


class ThisProcess:
    """Made in the thread that runs the program."""

    def __init__(self) -> None:
        self.rank, self.world = dist.get_rank(), dist.get_world_size()
        self._journal: Journal = FlightRecorder() if journal.records() else Wrapped()
        self._messages = Messages()
        self._program = get_ident()
        self._last_words = LastWords()

    def now(self) -> float:
        return monotonic()

    def hello(self) -> Hello:
        killed = kills(Files())
        words = self._last_words.path
        return Hello(self.rank, os.getpid(), platform.node(), killed, self._program, words)

    def pulse(self) -> int:
        return journal.pulse()

    def sent(self) -> int:
        return self._messages.made

    def read(self) -> Read:
        return self._journal.read()

    def mail(self) -> Mail:
        return self._messages.read()

    def groups(self) -> dict[str, tuple[int, ...]]:
        return journal.groups()

    def standing(self, read: Read, mail: Mail, made: int) -> Standing:
        return position.now(self.rank, self._program, read, mail, made)

    def frame(self) -> FrameType | None:
        """The innermost frame of the program."""
        return sys._current_frames().get(self._program)

    def close(self) -> None:
        self._journal.close()
        self._messages.close()
        self._last_words.close()
