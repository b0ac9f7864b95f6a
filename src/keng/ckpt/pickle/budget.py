"""What is noted while the pickles of one file are read, and what that may cost."""

from __future__ import annotations

from collections import Counter

from keng.ckpt.checkpoint import Call, Trouble
from keng.ckpt.nodes import Global
from keng.ckpt.pickle.names import LOADER, judged
from keng.ckpt.tree import walk
from keng.tables.pickled_names import INERT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keng.ckpt.aliases import Kind

    Content: TypeAlias = "Callable[[Any, Ledger], tuple[str, Any]]"

FILE = 600
"""What a file within the file costs at least."""
WORK = 12_000_000
"""What the pickles of a checkpoint may cost, in units of about 30 bytes or a tenth of a microsecond
on a machine that does nothing else (`opcodes.COSTS`); 100,000 tensors take 20 million."""
SHARE = 2
"""Bytes of a file that allow one unit more: what is small may not become large."""
MOST_WORK = 80_000_000
COPIED = 256 * 1024 * 1024
"""Bytes that the machine makes, besides those of the file."""
MOST_COPIED = 1024 * 1024 * 1024
CALLS = 64
"""Calls of names that are not known to be inert, with their arguments."""
ALIKE = 8
"""Of these, calls of one name: a model has hundreds of layers of a class."""
WRAPPERS = (
    "joblib.numpy_pickle.NumpyArrayWrapper",
    "sklearn.externals.joblib.numpy_pickle.NumpyArrayWrapper",
)
"""joblib's, for arrays: where one is given its attributes, the bytes of the array follow, in the midst of the
pickle."""
NODE = 10
"""Units of work for a node of the arguments of a call."""
NAMES = 10_000
"""Names that a checkpoint may import."""
NESTED = 3
"""Pickles within pickles."""
TROUBLES = 1000
"""Of one kind."""


class Broken(Exception):  # noqa: N818
    """Why a file, or a part of it, cannot be read on; begins in lower case, no full stop. `everywhere`
    is whether Python's own machine fails at that place, too."""

    def __init__(self, says: str, everywhere: bool = False) -> None:
        super().__init__(says)
        self.everywhere = everywhere


class Odd(Exception):  # noqa: N818
    """Why an opcode cannot be carried out, or a call would fail."""


class Impossible(Odd):
    """Why an opcode cannot be carried out by any machine."""


class Beyond(Impossible):
    """It reaches beyond the end: no machine can read on, unless that is the end of a frame."""


class Ledger:
    """`troubles` has each once. `content` reads a file within the file: what it is, and its value."""

    def __init__(
        self, content: Content | None = None, work: int = WORK, copied: int = COPIED
    ) -> None:
        self.content = content
        self.imports: Counter[Global] = Counter()
        self.calls: list[Call] = []
        self.troubles: dict[tuple[str, str, str], Trouble] = {}
        self.facts: dict[str, str] = {}
        self.metadata: dict[str, str] = {}  # texts of a safetensors header
        self.work, self.copied, self.nested = work, copied, 0
        self.torchscript = False
        self.coverage: Counter[str] = Counter()  # bytes of the file by what they are
        self.loads = False  # whether LOADER is imported
        self.wraps = False  # whether one of WRAPPERS is
        self._told: Counter[str] = Counter()
        self._called: Counter[str] = Counter()

    def allow(self, size: int) -> None:
        """More work, for a file of that size."""
        self.work = min(self.work + size // SHARE, MOST_WORK)
        self.copied = min(self.copied + size, MOST_COPIED)

    def spend(self, units: int) -> None:
        """Raises Broken where that is more than the file may cost."""
        self.work -= units
        if self.work < 0:
            raise Broken("takes more work than keng spends on such a file")

    def imported(self, name: Global) -> None:
        """Raises Broken where that is more than any honest file needs."""
        self.imports[name] += 1
        self.loads |= name == LOADER
        self.wraps |= name.full in WRAPPERS
        if len(self.imports) > NAMES:
            raise Broken(f"imports more than {NAMES} names")

    def called(self, name: Global, args: Any, file: str) -> None:
        if self.loads and any(self._is_loader(node) for _, node in walk(args)):
            self._note(LOADER, args, file)  # by a function that might call it
        if self.wraps and any(self._is_wrapper(node) for _, node in walk(args)):
            self.trick(f"{name} may make a wrapper of joblib, behind which bytes follow", file)
        if name.full not in INERT:
            self._note(name, args, file)

    def _is_wrapper(self, node: Any) -> bool:
        self.spend(NODE)
        return isinstance(node, Global) and node.full in WRAPPERS

    def _is_loader(self, node: Any) -> bool:
        self.spend(NODE)
        return node == LOADER if isinstance(node, Global) else False

    def _note(self, name: Global, args: Any, file: str) -> None:
        many = len(self.calls) >= CALLS and name != LOADER
        if many or self._called[name.full] >= ALIKE:
            return
        if judged(name, self.torchscript) != "known":
            self._called[name.full] += 1
            self.calls.append(Call(name, args, file))

    def claim(self, what: str, count: int) -> None:
        """Accounts for bytes of the file. What lies within an entry or a pickle is claimed with it."""
        if self.nested <= 1 and count > 0:
            self.coverage[what] += count

    def charge(self, count: int) -> None:
        """Raises Broken where the machine would make more bytes than it may."""
        self.copied -= count
        if self.copied < 0:
            raise Broken(f"unpacks to more than {COPIED >> 20} MB")

    def broken(self, says: str, file: str = "") -> None:
        self._trouble("broken", says, file)

    @property
    def is_broken(self) -> bool:
        return self._told["broken"] > 0

    def trick(self, says: str, file: str = "") -> None:
        self._trouble("trick", says, file)

    def note(self, says: str, file: str = "") -> None:
        self._trouble("note", says, file)

    def _trouble(self, kind: Kind, says: str, file: str) -> None:
        key = kind, says, file
        self._told[kind] += key not in self.troubles
        if self._told[kind] <= TROUBLES:
            self.troubles[key] = Trouble(kind, says, file)
