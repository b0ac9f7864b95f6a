"""What an explainer is shown: an error as read from a text or caught alive, and what is known of it.

Plain objects, made by the engine, that hold no torch and need none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from keng.explain.advice.edits import (
    method_at,
    refitted,
    registered_as_buffer,
    rewritten_argument,
    rewritten_input,
)
from keng.explain.live import Live
from keng.model import Blind, Edit, Evidence, Fix, Hit, Span

if TYPE_CHECKING:
    from keng.ckpt.mapping import Plan, StateErrors
    from keng.explain.live import Kept, Operand
    from keng.source import Code

P = ParamSpec("P")
R = TypeVar("R")
GIB = {
    "bytes": 2.0**-30,
    "KiB": 2.0**-20,
    "MiB": 2.0**-10,
    "GiB": 1.0,
    "TiB": 2.0**10,
    "KB": 2.0**-20,
    "MB": 2.0**-10,
    "GB": 1.0,  # Metal's, which are powers of 1024 too
}
CUDA_CONTEXT = 0.5
"""GiB, about."""


class Frame(NamedTuple):
    """One frame of a traceback, outermost first. `user` tells the user's own files from libraries'."""

    path: str
    line: int
    function: str
    text: str
    user: bool

    @property
    def posix(self) -> str:
        """Its path, with slashes from Windows as well."""
        return self.path.replace("\\", "/")


def amount(gib: float) -> str:
    """An amount of memory as one reads it, of GiB: "12.5 MiB"."""
    if gib >= 1024:
        return f"{gib / 1024:.4g} TiB"
    return f"{gib:.4g} GiB" if gib >= 1 else f"{gib * 1024:.4g} MiB"


def share(part: float, whole: float) -> str:
    """ "1.5 of 8 GiB", of GiB."""
    return f"{f'{part:.4g}' if part >= 1 else amount(part)} of {amount(whole)}"


class Memory(NamedTuple):
    """What an out-of-memory message tells of a card, in GiB. `allocated` is what this process's tensors
    take, `idle` what PyTorch has reserved besides, `process` all that the process holds, `allowed` what it
    may take, 0 where no limit was set."""

    wanted: float
    total: float
    free: float
    allocated: float
    idle: float
    process: float
    allowed: float = 0.0

    @property
    def elsewhere(self) -> float:
        """What other processes hold."""
        return max(0.0, self.total - self.free - self.process)


TORCHS = re.compile(
    r"\b(?:torch|nn\.[A-Z]\w|F\.[a-z]\w)|\.(?:backward|zero_grad|cuda|state_dict)\(|\.to\((?:self\.)?device|"
    r"\bdef forward\(self|\bDataLoader\("
)
"""What code has that is written for PyTorch."""

LOSS_FILES = ("nn/modules/module.py", "nn/modules/loss.py", "torch/nn/functional.py")
LAYERS = {
    "linear.py": "Linear|Bilinear",
    "conv.py": r"Conv\w+",
    "batchnorm.py": r"BatchNorm\w+",
    "normalization.py": "LayerNorm|GroupNorm",
    "rnn.py": "LSTM|GRU|RNN",
    "sparse.py": "Embedding(?:Bag)?",
}
"""A file of torch.nn.modules -> the layers in it."""


def _two_given(line: str) -> tuple[str, ...]:
    """What the one call of a line that is given two things by their names is given."""
    try:
        tree = ast.parse(line)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    calls = [n.args for n in ast.walk(tree) if isinstance(n, ast.Call) and len(n.args) == 2]
    named = [args for args in calls if all(isinstance(a, (ast.Name, ast.Attribute)) for a in args)]
    return tuple(ast.unparse(a) for a in named[0]) if len(named) == len(calls) == 1 else ()


def _nothing() -> None:
    return None


class Failure(NamedTuple):
    """An error as read from a text, or caught alive. `groups` are the named groups of the pattern
    that matched, `place` the line of the user's code that failed, `code` that file's
    `keng.source.Code` where it is at hand and still the same, `around` the text around an error whose
    traceback was not pasted: code, mostly. `pasted` reads the code that stands beside the error in a
    text, or gives None. `told` is what stands beside it in any case: what a person wrote of it."""

    kind: str
    message: str
    groups: Mapping[str, str]
    frames: tuple[Frame, ...] = ()
    place: Span | None = None
    live: Live = Live()
    code: Any = None
    around: str = ""
    pasted: Callable[[], Any] = _nothing
    told: str = ""

    @property
    def program(self) -> Any:
        """The user's code, as far as it is at hand: the file that failed, or what was pasted."""
        return self.code or self.pasted()

    @property
    def line(self) -> str:
        """The text of the user's line that failed, as far as it is known."""
        return next((frame.text for frame in reversed(self.frames) if frame.user), "")

    @property
    def state_errors(self) -> StateErrors:
        """What a message of `load_state_dict` lists."""
        from keng.ckpt.mapping import StateErrors  # few messages are of that kind

        return StateErrors.of(self.message)

    @property
    def plan(self) -> Plan:
        """How the entries of a state dict go into a model: all of them where they were in memory, or
        those that the message lists."""
        from keng.ckpt.mapping import matched

        if self.live.loading is not None:
            return self.live.loading.plan
        return matched(self.state_errors.file, self.state_errors.model)

    @property
    def mends(self) -> str:
        """The command that writes a file which loads."""
        loading = self.live.loading
        if loading is None or not loading.kept:
            return "`keng ckpt fix FILE OUT --model pkg.module:factory`"
        stem, dot, end = loading.file.rpartition(".")
        out = f"{stem}.fixed.{end}" if dot else f"{end}.fixed"
        return f"`keng ckpt fix {loading.file} {out} --plan {loading.kept}`"

    def loaded_as(self, plan: Plan) -> Fix:
        """The failing call as the plan has it, where one expression says that, and the command for a file."""
        from keng.ckpt.mapping import expression

        text, edits = expression(plan, "state"), self._reloaded(plan)
        what = "it so" if edits else f"`{text}`" if text else "what fits"
        return Fix(f"Load {what}, or mend the file once: {self.mends}", edits, "shown")

    def _reloaded(self, plan: Plan) -> tuple[Edit, ...]:
        from keng.ckpt.mapping import expression

        line = self.place.line if self.place is not None else 0
        calls = self.code.tree.on_line(line, ast.Call) if self.code is not None else []
        loads = [call for call in calls if getattr(call.func, "attr", "") == "load_state_dict"]
        given = loads[0].args[0] if len(loads) == 1 and loads[0].args else None
        if not isinstance(given, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            return ()
        text = expression(plan, self.code.text_of(given))
        return (self.code.edits.replace(given, text),) if text else ()

    def passed_through(self, *files: str) -> bool:
        """Whether the error came up through one of these files, "torch/serialization.py"."""
        return any(frame.posix.endswith(files) for frame in self.frames)

    @property
    def raised_in(self) -> str:
        """The path of the deepest frame, with slashes; nothing without a traceback."""
        return self.frames[-1].posix if self.frames else ""

    def asks_within(self, module: str) -> bool:
        """Whether an installed library's own file asks a module of it for something, in no circle: the files
        of one version have what they ask each other for. One that answers itself what it has raises."""
        asker = f"-packages/{module.partition('.')[0]}/" in self.raised_in
        answers = asker and self.frames[-1].text.startswith("raise ")
        return asker and not answers and "circular import" not in self.message

    @property
    def saves(self) -> bool:
        """Whether torch.save raised it, or what was pasted in place of a traceback is what is saved."""
        pasted = "torch.save(" in self.around or ".state_dict()" in self.around
        return pasted or self.passed_through("torch/serialization.py")

    @property
    def beside_torch(self) -> bool:
        """Whether the traceback, the message or the text around it shows PyTorch: what a library says to
        others as well is of it then."""
        return self.shows("torch")

    def shows(self, word: str) -> bool:
        """Whether the traceback, the message or the text around it has a word in it."""
        shown = [text for frame in self.frames for text in (frame.path, frame.text)]
        return any(word in text for text in (*shown, self.message, self.around))

    def tells(self, of: re.Pattern[str]) -> bool:
        """Whether the message, the words beside it or a path of the traceback tell of something."""
        paths = (frame.path for frame in self.frames)
        return any(map(of.search, (self.message, self.told, *paths)))

    @property
    def written_for_torch(self) -> bool:
        """Whether the failing line is, or what was pasted in place of a traceback."""
        return TORCHS.search(self.line) is not None or TORCHS.search(self.around) is not None

    @property
    def in_forward(self) -> bool:
        """Whether it came up in the forward of a module of the user's own."""
        called = [frame.function for frame in self.frames[-1:] if frame.user] == ["forward"]
        return called and self.passed_through("torch/nn/modules/module.py")

    def lost_as(self, position: int, otherwise: str) -> str:
        """What the user calls the input (0) or the target (1) of the loss that raised."""
        if len(self.live.lost) == len(self.live.operands) == 2:
            mine, there = self.live.operands[position], self.live.lost[position]
            if (mine.shape, mine.dtype) == (there.shape, there.dtype):
                return f"`{mine.name}`"
        names = _two_given(self.line) if self._in_loss else ()
        return f"`{names[position]}`" if names else otherwise

    @property
    def _in_loss(self) -> bool:
        """Whether the user's line called a loss of torch.nn, or one of its functions, itself."""
        after = next((n for n, f in enumerate(reversed(self.frames)) if f.user), 0)
        below = [f.posix for f in self.frames[len(self.frames) - after :]]
        return bool(below) and all(path.endswith(LOSS_FILES) for path in below)

    def in_layer(self, kind: str) -> bool:
        """Whether the forward of a layer of torch.nn raised: "Linear"."""
        if self.live.layer is not None:
            return self.live.layer.kind == kind
        homes = (file for file, kinds in LAYERS.items() if re.fullmatch(kinds, kind))
        return self.passed_through(f"/torch/nn/modules/{next(homes, f'{kind.lower()}.py')}")

    @property
    def called(self) -> str:
        """The layer as the user's code names it: its path in the model, or what the failing line calls
        of `self`; nothing where that is not clear."""
        if self.live.layer is not None:
            return self.live.layer.path
        found = set(re.findall(r"\bself\.\w+(?:\[\d+\])?(?=\()", self.line))
        if len(found) > 1 and self.code is not None:
            found = {name for name in found if self._is_made_as_one(name)}
        return found.pop() if len(found) == 1 else ""

    def _is_made_as_one(self, name: str) -> bool:
        """Whether the source makes a layer of that name, of the file of torch.nn that raised."""
        files = [f.path.rpartition("/")[2] for f in self.frames if "torch/nn/modules/" in f.path]
        kinds = LAYERS.get(files[-1] if files else "", "")
        made = rf"{re.escape(name)}\s{{0,4}}=\s{{0,4}}(?:torch\.)?(?:nn\.)?(?:{kinds})\("
        return bool(kinds) and re.search(made, self.code.text) is not None

    @property
    def layer(self) -> str:
        """In words; a text does not tell which of a Sequential's layers raised."""
        if not self.called:
            return "the layer"
        inside = any(frame.path.endswith("container.py") for frame in self.frames)
        return f"{'a layer in ' if inside and not self.live.layer else ''}`{self.called}`"

    @property
    def given(self) -> Operand | None:
        """What the layer was given, where that is known."""
        inputs = self.live.layer.inputs if self.live.layer is not None else ()
        return inputs[0] if inputs else None

    @property
    def fed(self) -> str:
        """What the user calls what the layer was given: `x` where that is not known."""
        if self.given is not None:
            there = [o for o in self.live.operands if o.shape == self.given.shape]
            return there[0].name if len(there) == 1 else "x"
        return self.handed_to(re.escape(self.called)) if self.called else "x"

    def handed_to(self, functions: str) -> str:
        """The name that the failing line gives to one of these functions, a regular expression: `x`
        where it gives no single name."""
        found = set(re.findall(rf"\b(?:{functions})\(([A-Za-z_][\w.]*)[,)]", self.line))
        return found.pop() if len(found) == 1 else "x"

    def gib(self, name: str) -> float:
        """An amount of memory that a group of the pattern holds ("12.50 MiB"), in GiB; 0 for none."""
        number, _, unit = self.groups.get(name, "").partition(" ")
        return float(number or 0) * GIB.get(unit, 0.0)

    @property
    def memory(self) -> Memory:
        """The groups `wanted`, `total`, `free`, `allocated`, `reserved` or `idle`, and `process`, as
        amounts. A message that does not say what the process holds leaves its CUDA context out."""
        allocated = self.gib("allocated")
        idle = self.gib("idle") or max(0.0, self.gib("reserved") - allocated)
        process = self.gib("process") or allocated + idle + CUDA_CONTEXT
        total, free = self.gib("total"), self.gib("free")
        if not self.groups.get("free"):
            process = allocated + idle
            free = max(0.0, total - process - self.gib("other"))
        wanted, allowed = self.gib("wanted"), self.gib("allowed")
        return Memory(wanted, total, free, allocated, idle, process, allowed)

    def remade(self, keyword: str, position: int, wants: int, came: int) -> Fix | None:
        """A fix, to be shown, that makes the layer for what came, where its constructor says `wants`."""
        called, line = self.called, self.place.line if self.place is not None else 0
        fix: Fix | None = None
        if self.code is not None and called:
            beside = self.live.layer.beside if self.live.layer is not None else {}
            fix = refitted(self.code, called, line, keyword, position, wants, came, beside)
        return fix

    def renamed(self, name: str, meant: str) -> Fix | None:
        """A fix that calls the one argument of that name on the failing line otherwise."""
        line = self.place.line if self.place is not None else 0
        calls = self.code.tree.on_line(line, ast.Call) if self.code is not None else []
        found = [k for call in calls for k in call.keywords if k.arg == name]
        if len(found) != 1:
            return None
        text = f"{meant}={self.code.text_of(found[0].value)}"
        return Fix(f"Call it `{meant}`", (self.code.edits.replace(found[0], text),), "shown")

    def turned(self, name: str, form: str) -> Fix | None:
        """A fix that writes another form of what the failing line names once: "{}.long()"."""
        name = name.strip("`")
        fix: Fix | None = self.mended(rewritten_argument, name, form.format(name))
        return fix

    def refed(self, form: str) -> Fix | None:
        """A fix that gives the layer that failed another form of what it is given: "{}.float()"."""
        failing = self.live.failing
        if failing is None:
            return self.turned(self.fed, form)
        fix: Fix | None = self.mended(rewritten_input, failing.where.column, self.fed, form)
        return fix

    def mended(
        self, how: Callable[Concatenate[Code, int, P], R], *given: P.args, **named: P.kwargs
    ) -> R | None:
        """What a function makes of the failing line, such as a fix; None without its file."""
        line = self.place.line if self.place is not None else 0
        return how(self.code, line, *given, **named) if self.code is not None else None

    def mended_at_home(
        self, kept: Kept, how: Callable[[Code, str, str], tuple[Fix, Span] | None]
    ) -> tuple[Fix | None, Span | None]:
        """What a function makes of an attribute in the file of its class: a fix, and its place where that is
        another file than the one that failed."""
        tree = self.code.trees.read(kept.file) if self.code is not None and kept.file else None
        if self.code is None or tree is None or isinstance(tree, Blind):
            return None, None
        home = self.code.at(tree)
        known = method_at(home, kept.kind, kept.line)
        fix, where = (how(home, kept.kind, kept.name) if known else None) or (None, None)
        return fix, where if home is not self.code else None

    def left_as_it_was(self, *of: str) -> tuple[str, Fix | None, Span | None]:
        """The one plain tensor of a module that is of one of these dtypes, or on one of these devices, as a
        sentence; with a fix that registers it, and the place of that."""
        alike = [s for s in self.live.strays if {s.tensor.dtype, s.tensor.device} & {*of}]
        if len(alike) != 1:
            return "", None, None
        kept, tensor = alike[0]
        what = tensor.dtype if tensor.dtype in of else tensor.device
        says = (
            f"`{kept.path}` is a plain tensor, which `.to()` of the model leaves as it was, {what}"
        )
        says += f": self.register_buffer('{kept.name}', ...)"
        return says, *self.mended_at_home(kept, registered_as_buffer)

    def texts_of(self, files: Iterable[str]) -> list[bytes]:
        return [self.code.trees.files.text(file) for file in files] if self.code is not None else []

    def hit(
        self,
        says: str,
        fix: Fix | None = None,
        where: Span | None = None,
        sure: bool = True,
        **evidence: Any,
    ) -> Hit:
        facts: Evidence = evidence
        return Hit(says, where or self.place, facts, fix, sure)
