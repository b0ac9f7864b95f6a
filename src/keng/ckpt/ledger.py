"""What is noted while the pickles of one file are read, and what that may cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from keng.ckpt.names import judged
from keng.stored import Call, Global, Trouble

OPCODES = 20_000_000
"""Of all pickles of a file. 100,000 tensors take 3 million."""
COPIED = 256 * 1024 * 1024
"""Bytes that the machine makes beside those that stand in the file."""
CALLS = 64
"""Calls of names that are not known to be inert, with their arguments."""
NESTED = 3
"""Pickles within pickles."""


class Broken(Exception):  # noqa: N818
    """Why a file, or a part of it, cannot be read on; begins in lower case, no full stop."""


@dataclass(slots=True)
class Ledger:
    imports: Counter[Global] = field(default_factory=Counter)
    calls: list[Call] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    opcodes: int = OPCODES
    copied: int = COPIED
    nested: int = 0
    torchscript: bool = False

    def imported(self, name: Global) -> None:
        self.imports[name] += 1

    def called(self, name: Global, args: Any, file: str) -> None:
        if len(self.calls) < CALLS and judged(name, self.torchscript) != "known":
            self.calls.append(Call(name, args, file))

    def charge(self, count: int) -> None:
        """Raises Broken where the machine would make more bytes than it may."""
        self.copied -= count
        if self.copied < 0:
            raise Broken(f"unpacks to more than {COPIED >> 20} MB")

    def broken(self, says: str, file: str = "") -> None:
        self.trouble(Trouble("broken", says, file))

    def trick(self, says: str, file: str = "") -> None:
        self.trouble(Trouble("trick", says, file))

    def note(self, says: str, file: str = "") -> None:
        self.trouble(Trouble("note", says, file))

    def trouble(self, trouble: Trouble) -> None:
        if trouble not in self.troubles:
            self.troubles.append(trouble)
