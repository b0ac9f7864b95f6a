"""The code of a TorchScript archive, whose `__setstate__` runs when it is loaded and whose `forward` when
it is called: read for the operators it names. Serialized code is Python-like text in which an operator is
`torch.NAME` or `ops.NAMESPACE.NAME`, and everything else a local name, a type, or a name of the archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from keng.ckpt.formats.operators import ATEN, computes
from keng.ckpt.formats.torch_zip import storage_id
from keng.ckpt.formats.zip_directory import Archive
from keng.ckpt.nodes import SIZES, Global, Storage
from keng.ckpt.pickle.budget import Broken, Ledger
from keng.ckpt.pickle.machine import Machine
from keng.ckpt.pickle.names import judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CODE = "code/"
MOBILE = ("bytecode.pkl", "mobile_debug_handles.pkl")
TRACED = "traced_inputs.pkl"
"""The inputs that a module was traced with, whose tensors are written without their bytes."""
TOKENS = re.compile(
    r"(?P<blank>[ \n]+)|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')(?![\"'])"
    r"|(?P<dotted>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(?P<member>\.[A-Za-z_]\w*)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?j?(?![\w.]))"
    r"|(?P<mark>->|\*\*|//|[<>=!]=|[-+*/%()\[\]{},:=<>&|^~@])"
)
"""What torch prints. A string that another quote follows is none: three of them begin a longer one."""
CHARACTER = 5
"""Characters of code for a unit of work (`ledger.WORK`)."""
BUILTINS = frozenset(
    """
annotate unchecked_cast uninitialized getattr hasattr isinstance range int float bool str complex print
tuple list len min max abs fork awaitable super CONSTANTS Tensor List Dict Tuple Optional Future Union
Final NoneType Any Number Device Stream Generator Scalar RRef Awaitable rangelist enumerate zip reversed
all any sum sorted ord chr hex oct bin round divmod if while for in not and or is return del assert else
with as pass
""".split()
)
OF_PACKED = frozenset("unpack stride padding output_padding dilation groups transpose".split())
"""Methods of the classes of C++ that hold packed weights."""
DEFINED = re.compile(r"^ *(?:def|class) ([A-Za-z_]\w*)\(", re.MULTILINE)


def read(archive: Archive, folder: str) -> None:
    """Notes every operator of the code that is not known to do nothing but compute."""
    texts: dict[str, str] = {}
    for name in archive.entries:
        inner = name.removeprefix(folder)
        if inner.startswith(CODE) and inner.endswith(".py"):
            texts[name] = str(archive.bytes_of(name), "utf-8", "replace")
        elif (inner.startswith(CODE) and inner.endswith(".debug_pkl")) or inner in (
            *MOBILE,
            TRACED,
        ):
            _pickle(archive, name, inner in MOBILE)
        elif inner.startswith("extra/"):
            read_text(archive, name)
    defined = {each for text in texts.values() for each in DEFINED.findall(text)}
    for name, text in texts.items():
        archive.ledger.spend(len(text) // CHARACTER)
        Code(text, defined, archive.ledger, archive.source.path, name.removeprefix(folder)).read()


class Code:
    """One file of code. `defined` are the functions and methods of all of them."""

    def __init__(self, text: str, defined: set[str], ledger: Ledger, path: str, name: str) -> None:
        self.text, self.defined, self.ledger = text, defined, ledger
        self.path, self.name = path, name

    def read(self) -> None:
        tokens = [token for token in self._tokens() if token.lastgroup != "blank"]
        local = {
            token["dotted"]
            for token, after in pairwise(tokens)
            if token["dotted"] and after[0] != "("
        }
        for n, token in enumerate(tokens):
            called = n + 1 < len(tokens) and tokens[n + 1][0] == "("
            if token["dotted"]:
                self._dotted(token["dotted"], called, local)
            elif token["member"] and called:
                self._method(token["member"][1:])

    def _tokens(self) -> Iterator[re.Match[str]]:
        at = 0
        while at < len(self.text):
            token = TOKENS.match(self.text, at)
            if token is None:
                self._trick(f"{self.name} is not as torch writes code, at byte {at}")
                return
            at = token.end()
            yield token

    def _trick(self, says: str) -> None:
        self.ledger.trick(says, self.path)

    def _dotted(self, name: str, called: bool, local: set[str]) -> None:
        first, *rest = name.split(".")
        if first == "torch" and rest:
            self._operator("aten", rest)
        elif first == "ops" and len(rest) > 1:
            self._operator(rest[0], rest[1:])
        elif first in ("torch", "ops"):
            self._trick(f"{self.name} names `{name}` without an operator")
        elif first == "__torch__":
            self._class(name)
        elif rest and called:
            self._method(rest[-1])
        elif called and first not in BUILTINS | self.defined | local:
            self._acts(Global("", first))

    def _operator(self, space: str, names: list[str]) -> None:
        if not computes(space, names[0]):
            self._acts(Global(f"torch.ops.{space}", names[0]))
        for name in names[1:]:
            self._method(name)

    def _method(self, name: str) -> None:
        """A method of the archive, or an operator whose first argument is the value."""
        if name not in self.defined and name not in ATEN | OF_PACKED:
            self._acts(Global("torch.ops.aten", name))

    def _class(self, name: str) -> None:
        if judged(Global("", name), torchscript=True) != "known":
            self._acts(Global("", name))

    def _acts(self, name: Global) -> None:
        self.ledger.imported(name)


def _pickle(archive: Archive, name: str, mobile: bool) -> None:
    """Where the code comes from, or the code of the mobile format."""
    data = archive.bytes_of(name, "pickles")
    try:
        machine = Machine(data, archive.ledger, archive.source.path, _without_bytes)
        value = machine.run()
        if machine.at < len(data):
            raise Broken("bytes follow the pickle")
    except Broken as broken:
        archive.ledger.trick(f"{name}: {broken}", archive.source.path)
        return
    if mobile:
        _operators_of(value, archive.ledger)


def _without_bytes(pid: Any) -> Storage:
    key, dtype, count, device = storage_id(pid)
    return Storage(key, dtype, count * SIZES.get(dtype, 1), device)


def _operators_of(value: Any, ledger: Ledger) -> None:
    """The mobile format lists the operators of each method by name."""
    from keng.ckpt.tree import walk

    for _, node in walk(value):
        match node:
            case ("operators", tuple(operators)):
                for operator in operators:
                    _heed(operator[0] if isinstance(operator, tuple) else operator, ledger)


def _heed(operator: Any, ledger: Ledger) -> None:
    space, _, name = str(operator).partition("::")
    if not computes(space, name):
        ledger.imported(Global(f"torch.ops.{space}", name))


def read_text(archive: Archive, name: str) -> None:
    """An extra file is given to whoever asks for it; a text is no file that is loaded."""
    try:
        letters = str(archive.bytes_of(name), "utf-8")
    except UnicodeDecodeError:
        letters = "\0"
    if any(letter < " " and letter not in "\t\r\n" for letter in letters):
        del archive.seen[name]
