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
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from torch._C._distributed_c10d import PrefixStore, TCPStore

from keng.toolbox.datasets import alike
from keng.toolbox.datasets.passes import Pass
from keng.toolbox.datasets.twins import Part

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

    def put(self, key: str, value: bytes) -> None:
        """The pieces first, and how many there are when all have come."""
        pieces = [value[at : at + PIECE] for at in range(0, len(value), PIECE)]
        for n, piece in enumerate(pieces):
            self.store.set(f"{key}/{n}", piece)
        self.store.set(f"{key}/pieces", str(len(pieces)))

    def get(self, key: str) -> bytes:
        """What was put there."""
        count = int(self.store.get(f"{key}/pieces"))
        return b"".join(self.store.get(f"{key}/{n}") for n in range(count))

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
    """Sends what this process has gathered to rank 0, and its digests to who compares them."""
    alike.send(team.put, team.rank, team.world, [each.digests for each in passes])
    team.put(f"{team.rank}/part", pickle.dumps([_handed(each) for each in passes]))


def put_together(team: Team, passes: list[Pass], deadline: Deadline) -> list[int]:
    """Adds the parts of the other ranks to those of rank 0, in the order of their samples. Returns the ranks
    whose part is there."""
    lengths = [each.source.length or 0 for each in passes]
    there = [0]
    for rank in range(1, team.world):
        parts = _part(team, rank, deadline)
        if parts is not None:
            there.append(rank)
        for n, mine in enumerate(passes):
            if parts is None:
                missed = shares(lengths[n], team.world)[rank]
                mine.missing += [missed] if len(missed) else []
            else:
                mine.merge(parts[n])
    return there


def compare_all(team: Team, passes: list[Pass], there: list[int], deadline: Deadline) -> None:
    """On rank 0: finds the samples that are the same, with the others."""
    team.put("there", pickle.dumps(there))
    ask = partial(_found, team, there, deadline)
    repeats = alike.joined(ask("repeats", lambda part: alike.repeats_in(team.get, there, part)))
    team.put("repeats", pickle.dumps(repeats))
    lookalikes = alike.joined(
        ask("lookalikes", lambda part: alike.lookalikes_in(team.get, there, part, repeats))
    )
    alike.keep([each.digests for each in passes], repeats, lookalikes)


def _found(
    team: Team,
    there: list[int],
    deadline: Deadline,
    name: str,
    compare: Callable[[Part], alike.Compared],
) -> list[alike.Compared]:
    """The pairs in each range, of the rank that compares it or, where that has died, of rank 0."""
    own = {n: compare((n, team.world)) for n in range(team.world) if n == 0 or n not in there}
    for rank in there[1:]:
        awaited = _comes(team, f"{rank}/{name}", rank, deadline)
        if awaited:
            own[rank] = pickle.loads(team.get(f"{rank}/{name}"))
        else:
            own[rank] = compare((rank, team.world))
    return [own[n] for n in range(team.world)]


def compare_own(team: Team) -> None:
    """On the other ranks: compares one range of the hashes, as long as rank 0 lives."""
    deadline, part = Deadline(), (team.rank, team.world)
    if not _comes(team, "there", 0, deadline):
        return
    there = pickle.loads(team.get("there"))
    if team.rank not in there:
        return
    team.put(f"{team.rank}/repeats", pickle.dumps(alike.repeats_in(team.get, there, part)))
    if _comes(team, "repeats", 0, deadline):
        repeats = pickle.loads(team.get("repeats"))
        found = alike.lookalikes_in(team.get, there, part, repeats)
        team.put(f"{team.rank}/lookalikes", pickle.dumps(found))


class Deadline:
    """Passes once a process that was awaited has been asked to end: then all are, and soon."""

    def __init__(self) -> None:
        self.at: float | None = None

    @property
    def is_over(self) -> bool:
        return self.at is not None and monotonic() > self.at


def _part(team: Team, rank: int, deadline: Deadline) -> list[Pass] | None:
    """What a rank has handed in; nothing where it has died."""
    if not _comes(team, f"{rank}/part", rank, deadline):
        return None
    found: list[Pass] = pickle.loads(team.get(f"{rank}/part"))
    return found


def _comes(team: Team, key: str, rank: int, deadline: Deadline) -> bool:
    """Waits for what a rank writes. Whether it has come; it has not where the rank has died."""
    waiting = threading.Event()
    beat, heard = -1, monotonic()
    while not team.store.check([f"{key}/pieces"]):
        now = team.store.add(f"{rank}/beats", 0)
        if now != beat:
            beat, heard = now, monotonic()
        if deadline.is_over or monotonic() - heard > SILENCE:
            return False
        try:
            waiting.wait(PAUSE)
        except KeyboardInterrupt:
            deadline.at = deadline.at or monotonic() + LAST
    return True


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
    deadline = Deadline()
    with Beating(team):
        read()
        if team.rank:
            hand_in(team, passes)
            compare_own(team)
            return False
        alike.send(team.put, 0, team.world, [each.digests for each in passes])
        compare_all(team, passes, put_together(team, passes, deadline), deadline)
        return True


def _handed(seen: Pass) -> Pass:
    """The dataset itself stays where it is, and so do the digests."""
    part = copy.copy(seen)
    part.source = None  # type: ignore[assignment]
    part.digests = alike.counted(seen.digests)
    return part
