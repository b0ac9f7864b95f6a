"""Letters to rank 0, through a client of our own of the store that the job has already."""

from __future__ import annotations

import pickle
import socket
from collections.abc import Iterator
from datetime import timedelta
from time import monotonic
from typing import Any

PATIENCE = timedelta(seconds=5)
LOST = 5.0
"""Seconds after which a letter that was announced and never came is given up: its writer has died."""


class Mailbox:
    """Raises ConnectionError where the server of the store is gone, DistNetworkError where it goes just
    then, and RuntimeError where the store fails otherwise."""

    def __init__(self, store: Any, number: int) -> None:
        self._store = store.clone()
        self._store.set_timeout(PATIENCE)
        self._prefix = f"keng/{number}"
        self._address = _address(self._store)
        self._next = 1
        self._missed: float | None = None

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
        """What all ranks may look for; rank 0 alone raises one."""
        self._store.set(f"{self._prefix}/{name}", pickle.dumps(note))

    def flag(self, name: str) -> bool:
        self._reach()
        return bool(self._store.check([f"{self._prefix}/{name}"]))

    def note(self, name: str) -> Any:
        """What stands on a flag; nothing where it is not raised."""
        return pickle.loads(self._store.get(f"{self._prefix}/{name}")) if self.flag(name) else None

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
        """A client whose server is gone writes a page to standard error when it is used."""
        if self._address is not None:
            socket.create_connection(self._address, PATIENCE.total_seconds()).close()


def _address(store: Any) -> tuple[str, int] | None:
    """Where a TCPStore listens; other stores have no server."""
    while hasattr(store, "underlying_store"):
        store = store.underlying_store
    host, port = getattr(store, "host", None), getattr(store, "port", None)
    return (host, port) if host and port else None
