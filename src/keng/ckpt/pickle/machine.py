"""A pickle machine that builds a tree of nouns and can do nothing else: no name is ever imported and
nothing is called. Every opcode of protocols 0 to 5 means here what it means to Python's own machine,
so that there is nothing to be confused about; what a call would have made becomes an `Opaque`.
"""

from __future__ import annotations

import mmap
import struct
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections.abc import Callable

from keng.ckpt.byte_source import LONG, Source, Stretch, in_memory
from keng.ckpt.nodes import Global, Opaque
from keng.ckpt.pickle.budget import FILE, Beyond, Broken, Impossible, Ledger, Odd
from keng.ckpt.pickle.constructors import called
from keng.ckpt.pickle.names import LOADER
from keng.ckpt.pickle.opcodes import ACTIONS, COSTS, IN_LOOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

Data: TypeAlias = "Any"
"""bytes or an mmap: what gives an int by index and bytes by slice."""
Persistent: TypeAlias = "Callable[[Any], Any]"
"""What stands for a persistent id; raises Odd."""
LONG_BINPUT, BINGET, BININT1, MARK, TUPLE, STOP = IN_LOOP
WORD = struct.Struct("<I").unpack_from
BUFFERS = (bytes, mmap.mmap, memoryview, bytearray)
NOTHING = object()
BYTES = (bytes, Stretch)
NUMBER = b"0123456789abcdefABCDEFxXoO_+-L \t\v\f\r"
LONGEST_NUMBER = 4096
"""Digits of a number written as text; reading more takes time in the square of them."""


def no_persistent(pid: Any) -> Any:
    raise Odd("a persistent id, and no storages are here")


def any_persistent(pid: Any) -> Any:
    """For pickles whose loader is not known, which are read for their names alone."""
    return Opaque(Global("", "persistent_id"), (pid,))


class Machine:
    """Runs the pickle that begins at `at` and may reach to `stop`; afterwards `at` is behind it."""

    def __init__(
        self,
        data: Data,
        ledger: Ledger,
        file: str,
        persistent: Persistent = no_persistent,
        at: int = 0,
        stop: int | None = None,
        source: Source | None = None,
    ) -> None:
        self.data, self.at, self.stop = data, at, len(data) if stop is None else stop
        self.ledger, self.file, self.persistent = ledger, file, persistent
        self.source = source  # where `data` is what it has mapped, and long bytes are left there
        self.stack: list[Any] = []
        self.marked: list[list[Any]] = []
        self.memo: dict[int, Any] = {}
        self.protocol = 0
        self.framed = 0  # the stop of the pickle, while `stop` is that of a frame

    def run(self) -> Any:
        """The value. Raises Broken; what was imported and called up to there is in the ledger."""
        begin = self.at
        try:
            value = self._run(self.ledger.work)
        except Odd as odd:
            says = f"{odd}, in a frame" if self.framed else str(odd)
            within = isinstance(odd, Beyond) and self.framed
            raise self._broken(says, isinstance(odd, Impossible) and not within) from None
        except (IndexError, KeyError, ValueError, TypeError, struct.error):
            raise self._broken("opcode that cannot be carried out", True) from None
        if value is NOTHING:
            raise self._broken("no end" if self.at > begin else "no pickle", True)
        return value

    def _run(self, left: int) -> Any:
        """NOTHING where it has no end. What makes up nine tenths of a checkpoint stands here, without
        a call: `at` and `stack` are this machine's, ahead of it until something else is called."""
        data, stop, actions, costs = self.data, self.stop, ACTIONS, COSTS
        word = WORD if isinstance(data, BUFFERS) else _word
        at, stack, marked, memo = self.at, self.stack, self.marked, self.memo
        begun = left
        try:
            while at < stop or at < (stop := self.unframed(at)):
                code = data[at]
                at += 1
                left -= costs[code]
                if left < 0:
                    raise Broken("takes more work than keng spends on such a file")
                action = actions[code]
                if action is not None:
                    self.at = at
                    action(self)
                    at, stack, stop = self.at, self.stack, self.stop
                elif code == LONG_BINPUT:
                    memo[word(data, at)[0]] = stack[-1]
                    at += 4
                elif code == BINGET:
                    stack.append(memo[data[at]])
                    at += 1
                elif code == BININT1:
                    stack.append(data[at])
                    at += 1
                elif code == MARK:
                    marked.append(stack)
                    stack = self.stack = []
                elif code == TUPLE:
                    items, stack = stack, marked.pop()
                    self.stack = stack
                    stack.append(tuple(items))
                elif code == STOP:
                    return stack.pop()
            return NOTHING
        finally:
            self.at = max(self.at, at)
            self.ledger.work -= begun - left

    def unframed(self, at: int) -> int:
        """Where the pickle may reach to, behind a frame that ends here. Raises Odd where it ended within
        an opcode."""
        if self.framed and at > self.stop:
            raise Odd("an opcode reaches beyond its frame")
        self.stop, self.framed = self.framed or self.stop, 0
        return self.stop

    def _broken(self, what: str, everywhere: bool) -> Broken:
        return Broken(f"the pickle breaks off at byte {self.at}: {what}", everywhere)

    # Reading

    def take(self, count: int) -> bytes:
        end = self.at + count
        if count < 0 or end > self.stop:
            raise Beyond("it goes beyond its end")
        piece: bytes = self.data[self.at : end]
        self.at = end
        return piece

    def long(self, count: int) -> bytes | Stretch:
        """Bytes, which are left where they lie if they are many."""
        if count < LONG or self.source is None or self.at + count > self.stop:
            return self.take(count)
        begin = self.at - self.source.base
        self.at += count
        return Stretch(self.source.part(begin, count))

    def another(self) -> Any:
        """The value of a pickle that stands here, in the midst of this one."""
        machine = Machine(self.data, self.ledger, self.file, at=self.at, stop=self.stop)
        value = machine.run()
        self.at = machine.at
        return value

    def number(self, width: int) -> int:
        at = self.at
        self.at = end = at + width
        if end > self.stop:
            raise Beyond("it goes beyond its end")
        return int.from_bytes(self.data[at:end], "little")

    def line(self) -> bytes:
        end = self.data.find(b"\n", self.at, self.stop)
        if end < 0:
            raise Beyond("a line without an end")
        piece: bytes = self.data[self.at : end]
        self.at = end + 1
        return piece

    def digits(self) -> int:
        line = self.line()
        if len(line) > LONGEST_NUMBER and not line.strip(NUMBER):
            raise Odd("a number of too many digits")
        if len(line) > LONGEST_NUMBER:
            raise Impossible("a number that is none")
        return int(line.rstrip(b"L"), 0)

    def pop_mark(self) -> list[Any]:
        items = self.stack
        self.stack = self.marked.pop()
        return items

    def text(self, piece: bytes) -> str:
        """A str of Python 2, which knew no encoding: where it is not ASCII, one character a byte."""
        if not piece.isascii():
            facts = self.ledger.facts
            facts["python2_text"] = facts.get("python2_text") or _not_utf8(piece)
        return piece.decode("latin-1")

    # Names and calls

    def import_(self, module: str, name: str) -> None:
        if self.protocol < 3:  # the names of Python 2
            module, name = NAME_MAPPING.get((module, name), (module, name))
            module = IMPORT_MAPPING.get(module, module)
        found = Global(module, name)
        self.ledger.imported(found)
        self.stack.append(found)

    def call(self, function: Any, args: Any, how: Callable[..., Any] = called) -> None:
        name = function if type(function) is Global else _name_of(function)
        if (
            name.full == LOADER.full
            and how is called
            and len(args) == 1
            and isinstance(args[0], BYTES)
        ):
            self.stack.append(self._loaded(args[0]))
            return
        self.ledger.called(name, args, self.file)
        self.stack.append(how(name, args, self.ledger, self.file))

    def _loaded(self, argument: Any) -> Any:
        """What torch.load makes of bytes that hold a file. Raises Odd where it makes nothing of them."""
        if isinstance(argument, Stretch):
            source = argument.source
        else:
            self.ledger.charge(len(argument))
            source = in_memory(argument, self.file)
        self.ledger.spend(FILE)
        kind, value = (
            self.ledger.content(source, self.ledger) if self.ledger.content else ("", None)
        )
        if kind not in ("zip", "legacy", "tar"):
            raise Odd("bytes that torch.load does not read")
        return value


def _not_utf8(piece: bytes) -> str:
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return "not UTF-8"
    return ""


def _name_of(function: Any) -> Global:
    """A function that is itself the result of a call has no name of its own."""
    if isinstance(function, Opaque):
        name = function.name.name
        return Global(function.name.module, name if name.endswith("(...)") else f"{name}(...)")
    raise Odd(f"a call of a {type(function).__name__}")


def _word(data: Any, at: int) -> tuple[Any, ...]:
    """Of a file that is read by ranges, which is no buffer."""
    return WORD(data[at : at + 4])
