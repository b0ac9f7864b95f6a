"""Letters to rank 0, through a client of our own of the store that the job has already."""

from __future__ import annotations

import os
import pickle
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from time import monotonic
from typing import Any

PATIENCE = timedelta(seconds=15)
"""For an answer of the store. Its one thread looks up the name of everyone who connects, and for so long
nobody is answered: where a name server is slow or loses a question, for five or ten seconds."""
LOST = 15.0
"""Seconds after which a letter that was announced and never came is given up: its writer has died."""
DESCRIPTORS = "/dev/fd"


class Mailbox:
    """Raises ConnectionError where the server of the store is gone, DistNetworkError where it goes just
    then, and RuntimeError where the store fails otherwise."""

    def __init__(self, store: Any, number: int) -> None:
        before = _connections(store)
        self._store = _client(store)
        ours = _connections(store) - before
        self._line = _socket(os.dup(ours.pop())) if ours else None
        self._store.set_timeout(PATIENCE)
        self._prefix = f"keng/{number}"
        self._next = 1
        self._missed: float | None = None

    def close(self) -> None:
        if self._line is not None:
            self._line.close()

    def post(self, letter: object) -> None:
        """Pickled, as torch sends objects over this store itself."""
        self._reach()
        number = self._store.add(f"{self._prefix}/letters", 1)
        self._store.set(f"{self._prefix}/{number}", pickle.dumps(letter))

    def letters(self) -> Iterator[Any]:
        """What has come since; for rank 0 alone."""
        while self._store.check([f"{self._prefix}/{self._next}"]):
            key = f"{self._prefix}/{self._next}"
            letter = pickle.loads(self._store.get(key))
            self._store.delete_key(key)
            self._next += 1
            self._missed = None
            yield letter
        self._give_up_lost()

    def raise_flag(self, name: str, note: object = None) -> None:
        """What all ranks may look for; rank 0 raises most of them."""
        self._store.set(f"{self._prefix}/{name}", pickle.dumps(note))

    def lower(self, *names: str) -> None:
        for name in names:
            self._store.delete_key(f"{self._prefix}/{name}")

    def first(self, name: str, value: bytes) -> bytes:
        """The value of the first rank that gave one, which may be this one."""
        self._reach()
        found: bytes = self._store.compare_set(f"{self._prefix}/{name}", "", value.decode())
        return found

    def flag(self, name: str) -> bool:
        self._reach()
        return bool(self._store.check([f"{self._prefix}/{name}"]))

    def note(self, name: str) -> Any:
        """What is on a flag; nothing where it is not raised."""
        return pickle.loads(self._store.get(f"{self._prefix}/{name}")) if self.flag(name) else None

    def notes(self, names: Sequence[str]) -> list[Any]:
        """What is on several flags, in one question where the store can; nothing before all are raised."""
        keys = [f"{self._prefix}/{name}" for name in names]
        self._reach()
        if not keys or not self._store.check(keys):
            return []
        together = self._store.has_extended_api()
        found = self._store.multi_get(keys) if together else map(self._store.get, keys)
        return [pickle.loads(each) for each in found]

    def is_first(self, name: str) -> bool:
        """Whether no other rank has asked this before."""
        return bool(self._store.add(f"{self._prefix}/{name}", 1) == 1)

    def _give_up_lost(self) -> None:
        announced = self._store.add(f"{self._prefix}/letters", 0)
        if announced < self._next:
            self._missed = None
        elif self._missed is None:
            self._missed = monotonic()
        elif monotonic() - self._missed > LOST:
            self._next += 1
            self._missed = None

    def _reach(self) -> None:
        """A client whose server is gone writes a page to standard error when it is used. Its connection
        shows it: to try another would cost the server the look-up of a name."""
        if self._line is None:
            return
        with suppress(BlockingIOError):
            if not self._line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                raise ConnectionResetError("the server of the store is gone")


def _client(store: Any) -> Any:
    """Of our own. torch 2.4 clones none: there the server is asked for another, and what a launcher has
    started again, which has the same server, is kept apart."""
    server = _server(store)
    if hasattr(store, "clone") or not hasattr(server, "host"):
        return store.clone()
    from torch._C._distributed_c10d import PrefixStore, TCPStore

    ours = TCPStore(server.host, server.port, wait_for_workers=False)
    attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT")
    return PrefixStore(attempt, ours) if attempt else ours


def _server(store: Any) -> Any:
    """What is under all prefixes: a TCPStore, or another store, which has no server."""
    while hasattr(store, "underlying_store"):
        store = store.underlying_store
    return store


def _connections(store: Any) -> set[int]:
    """Descriptors of this process's connections to a store's server."""
    port, found = getattr(_server(store), "port", None), set()
    for name in os.listdir(DESCRIPTORS) if port and os.path.isdir(DESCRIPTORS) else ():
        with suppress(OSError):  # the listing itself was one, and others may close meanwhile
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode) and _peer(int(name))[1:2] == (port,):
                found.add(int(name))
    return found


def _peer(descriptor: int) -> tuple[Any, ...]:
    """Address and port, where a socket has such."""
    looked_at = _socket(descriptor)
    try:
        peer = looked_at.getpeername()
    finally:
        looked_at.detach()
    return peer if isinstance(peer, tuple) else ()


def _socket(descriptor: int) -> socket.socket:
    """To be checked. Where a program has a time-out for all new sockets, one that is not said to be
    non-blocking would be made so, under torch's hands."""
    kind = socket.SOCK_STREAM | getattr(socket, "SOCK_NONBLOCK", 0)
    return socket.socket(type=kind, fileno=descriptor)
