"""A dataset that the processes of a job read together: each its part of the indices, which rank 0 puts
together again.

The parts go through a store, as torchrun has one. A process that dies, or is ended, costs its own part.
"""

from __future__ import annotations

import copy
import os
import pickle
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from time import monotonic
from typing import Any, NamedTuple

from torch._C._distributed_c10d import PrefixStore, TCPStore

from keng.toolbox.datasets.passes import Pass

PIECE = 4 << 20
"""Bytes of a value. A TCPStore takes no more than 8 MiB."""
BEATS, SILENCE = 1.0, 20.0
"""Seconds from one sign of life to the next, and after which a process without one is given up."""
LAST = 10.0
"""Seconds that rank 0 waits for the parts of the others once it has been asked to end."""
PAUSE = 0.1
PATIENCE = timedelta(minutes=5)


class Team(NamedTuple):
    """The processes that read together."""

    rank: int
    world: int
    store: Any

    def share(self, length: int) -> range:
        """The samples that this process reads: parts follow one another."""
        return shares(length, self.world)[self.rank]


def shares(length: int, world: int) -> list[range]:
    """Parts that differ by one sample at most."""
    ends = [length * n // world for n in range(world + 1)]
    return [range(*ends[n : n + 2]) for n in range(world)]


def team(environment: Mapping[str, str] = os.environ) -> Team | None:
    """That of the launcher; None for a process alone. Raises: RuntimeError, ValueError, KeyError where
    the others are not reached or the environment is not that of a launcher."""
    world = int(environment.get("WORLD_SIZE", "1"))
    if world < 2:
        return None
    rank = int(environment["RANK"])
    host, port = environment["MASTER_ADDR"], int(environment["MASTER_PORT"])
    holds = rank == 0 and environment.get("TORCHELASTIC_USE_AGENT_STORE") != "True"
    store = TCPStore(host, port, None, holds, timeout=PATIENCE, wait_for_workers=False)
    again = environment.get("TORCHELASTIC_RESTART_COUNT", "0")
    return Team(rank, world, PrefixStore(f"keng data {again}", store))


def hand_in(team: Team, passes: list[Pass]) -> None:
    """Sends what this process has gathered to rank 0."""
    whole = pickle.dumps([_without_source(each) for each in passes])
    pieces = [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]
    for n, piece in enumerate(pieces):
        team.store.set(f"{team.rank}/{n}", piece)
    team.store.set(f"{team.rank}/pieces", str(len(pieces)))


def put_together(team: Team, passes: list[Pass]) -> None:
    """Adds the parts of the other ranks to those of rank 0, in the order of their samples."""
    deadline = Deadline()
    lengths = [each.source.length or 0 for each in passes]
    for rank in range(1, team.world):
        parts = _part(team, rank, deadline)
        for n, mine in enumerate(passes):
            if parts is None:
                missed = shares(lengths[n], team.world)[rank]
                mine.missing += [missed] if len(missed) else []
            else:
                mine.merge(parts[n])


class Deadline:
    """Passes once a process that was awaited has been asked to end: then all are, and soon."""

    def __init__(self) -> None:
        self.at: float | None = None

    @property
    def is_over(self) -> bool:
        return self.at is not None and monotonic() > self.at


def _part(team: Team, rank: int, deadline: Deadline) -> list[Pass] | None:
    """What a rank has handed in; nothing where it has died."""
    waiting = threading.Event()
    beat, heard = -1, monotonic()
    while not team.store.check([f"{rank}/pieces"]):
        now = team.store.add(f"{rank}/beats", 0)
        if now != beat:
            beat, heard = now, monotonic()
        if deadline.is_over or monotonic() - heard > SILENCE:
            return None
        try:
            waiting.wait(PAUSE)
        except KeyboardInterrupt:
            deadline.at = deadline.at or monotonic() + LAST
    count = int(team.store.get(f"{rank}/pieces"))
    whole = b"".join(team.store.get(f"{rank}/{n}") for n in range(count))
    found: list[Pass] = pickle.loads(whole)
    return found


class Beating:
    """Shows the others that this process lives, by a client of its own."""

    def __init__(self, team: Team) -> None:
        self._store = team.store.clone()
        self._key = f"{team.rank}/beats"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="keng", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        with suppress(RuntimeError):  # rank 0, which may hold the store, has ended
            while not self._over.wait(BEATS):
                self._store.add(self._key, 1)


def read_together(team: Team, passes: list[Pass], read: Callable[[], None]) -> bool:
    """Reads, and puts the parts together on rank 0. Returns whether this is rank 0, which has them all."""
    with Beating(team):
        read()
        if team.rank:
            hand_in(team, passes)
            return False
        put_together(team, passes)
        return True


def _without_source(seen: Pass) -> Pass:
    """The dataset itself stays where it is."""
    part = copy.copy(seen)
    part.source = None  # type: ignore[assignment]
    return part
