"""What an explainer is shown: an error as read from a text or caught alive, and what is known of it.

Plain objects, made by the engine, that hold no torch and need none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from keng._util.texts import sentence
from keng.explain.frame import Frame
from keng.explain.inspecting.answers import Live
from keng.explain.ownership.paths import LIBRARY, is_torch
from keng.model import Evidence, Fix, Hit, Skipped, Span

if TYPE_CHECKING:
    from keng.explain.inspecting.makers import Maker
    from keng.explain.live import Attribute, Operand
    from keng.explain.operands.calls import OperatorCall
    from keng.source import Code

P = ParamSpec("P")
R = TypeVar("R")


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
    """What the one call of a line that is given two values by their names is given."""
    try:
        tree = ast.parse(line)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    calls = [n.args for n in ast.walk(tree) if isinstance(n, ast.Call) and len(n.args) == 2]
    named = [args for args in calls if all(isinstance(a, (ast.Name, ast.Attribute)) for a in args)]
    return tuple(ast.unparse(a) for a in named[0]) if len(named) == len(calls) == 1 else ()


LOOKUPS = ("__getattr__", "__getattribute__", "__getitem__", "__setattr__")
"""Through these an object says what it lacks: the expression that asked is in the frame above."""


def failed_in_library(frames: Sequence[Frame]) -> bool:
    """Whether an expression of a library failed by itself, without a `raise` of the library's own."""
    asked = next((f for f in reversed(frames) if f.function not in LOOKUPS), None)
    return asked is not None and not asked.user and not asked.text.startswith(("raise ", "raise("))


def _nothing() -> None:
    return None


class Failure(NamedTuple):
    """An error as read from a text or caught live.

    `groups` are the named groups of the pattern that matched, `place` the line of the user's code that
    failed, and `code` that file, if it is available and unchanged. `context` is everything around the error:
    other lines of the text, also what a person wrote. `surrounding` is the same, but empty if the error has
    a traceback, so that it is mostly code pasted in place of one; `pasted_code` reads that code, or returns
    None.
    """

    kind: str
    message: str
    groups: Mapping[str, str]
    frames: tuple[Frame, ...] = ()
    place: Span | None = None
    live: Live = Live()
    code: Code | None = None
    surrounding: str = ""
    pasted_code: Callable[[], Code | None] = _nothing
    context: str = ""

    @property
    def program(self) -> Code | None:
        """The user's code, as far as it is available: the file that failed, or what was pasted."""
        return self.code or self.pasted_code()

    @property
    def line(self) -> str:
        """The text of the user's line that failed, as far as it is known."""
        return next((frame.text for frame in reversed(self.frames) if frame.user), "")

    @property
    def operator_calls(self) -> Sequence[OperatorCall]:
        """The calls of torch's operators on the user's line that failed, outermost first; without a traceback
        those of the code above the error."""
        from keng.explain.operands.calls import calls_on, operator_calls

        if not self.frames:
            return operator_calls(self._nodes_above())
        own = next((frame for frame in reversed(self.frames) if not is_torch(frame.path)), None)
        return calls_on(own) if own is not None and own.user else []

    def call_of(self, *operators: str) -> OperatorCall | None:
        """The one call of these operators on the failing line."""
        found = [each for each in self.operator_calls if each.name in operators]
        return found[0] if len(found) == 1 else None

    def read_from(self, attribute: str) -> str:
        """The expression whose attribute the deepest line reads, `x` of `x.view(...)`, or the code above an
        error without a traceback; empty where there is not exactly one."""
        from keng.explain.operands.calls import nodes_on, written

        nodes = nodes_on(self.frames[-1]) if self.frames else self._nodes_above()
        found = {
            ast.unparse(node.value): node.value
            for node in nodes
            if isinstance(node, ast.Attribute) and node.attr == attribute
        }
        return written(*found.values()) if len(found) == 1 else ""

    def _nodes_above(self) -> list[ast.AST]:
        from keng.explain.operands.calls import nodes_above  # most errors have a traceback

        return nodes_above(self.surrounding.splitlines(), self.message)

    def passed_through(self, *files: str) -> bool:
        """Whether the error came up through one of these files, "torch/serialization.py"."""
        return any(frame.posix.endswith(files) for frame in self.frames)

    @property
    def raised_in(self) -> str:
        """The path of the deepest frame, with slashes; nothing without a traceback."""
        return self.frames[-1].posix if self.frames else ""

    @property
    def failed_in_library(self) -> bool:
        """Whether the expression that failed is code of a library, which no advice may edit."""
        return failed_in_library(self.frames)

    @property
    def library(self) -> str:
        """The library, other than PyTorch, whose code failed or called what did; empty where that is code of
        the user's, or not known."""
        last = next((f for f in reversed(self.frames) if not is_torch(f.path)), None)
        found = LIBRARY.search(last.path) if last is not None and not last.user else None
        return found[1] if found is not None else ""

    @property
    def mentions_torch(self) -> bool:
        """Whether the traceback, the message or the text around it shows PyTorch: what a library says to
        others as well is of it then."""
        return self.contains("torch")

    def contains(self, word: str) -> bool:
        """Whether the traceback, the message or the text around it has a word in it."""
        shown = [text for frame in self.frames for text in (frame.path, frame.text)]
        return any(word in text for text in (*shown, self.message, self.surrounding))

    def matches(self, of: re.Pattern[str]) -> bool:
        """Whether the message, the words next to it or a path of the traceback tell of something."""
        paths = (frame.path for frame in self.frames)
        return any(map(of.search, (self.message, self.context, *paths)))

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of libraries that the text around the error has, by the names that are imported."""
        from keng.explain.reading.versions import versions_in  # most errors do not depend on them

        below = self.message.partition("\n")[2]  # what a person wrote there
        return versions_in(f"{self.context}\n{below}")

    @property
    def line_uses_torch(self) -> bool:
        """Whether the failing line is, or what was pasted in place of a traceback."""
        return TORCHS.search(self.line) is not None or TORCHS.search(self.surrounding) is not None

    @property
    def in_forward(self) -> bool:
        """Whether it came up in the forward of a module of the user's own."""
        called = [frame.function for frame in self.frames[-1:] if frame.user] == ["forward"]
        return called and self.passed_through("torch/nn/modules/module.py")

    def loss_argument_name(self, position: int, otherwise: str) -> str:
        """What the user calls the input (0) or the target (1) of the loss that raised."""
        if len(self.live.loss_inputs) == len(self.live.operands) == 2:
            mine, there = self.live.operands[position], self.live.loss_inputs[position]
            if (mine.shape, mine.dtype) == (there.shape, there.dtype):
                return f"`{mine.name}`"
        names = _two_given(self.line) if self._in_loss or self._ends_in_loss else ()
        return (
            f"`{names[position]}`" if names else self._pasted_loss_argument(position) or otherwise
        )

    def _pasted_loss_argument(self, position: int) -> str:
        """The same of the code above an error that has no traceback."""
        if self.frames or not self.surrounding:
            return ""
        from keng.explain.reading.code_above import line_above
        from keng.pitfalls.roles import roles_on  # most errors have a traceback

        roles = roles_on(line_above(self.surrounding.splitlines(), self.message))
        return str(roles.get(("the_scores", "the_target")[position], ""))

    @property
    def _in_loss(self) -> bool:
        """Whether the user's line called a loss of torch.nn, or one of its functions, itself."""
        after = next((n for n, f in enumerate(reversed(self.frames)) if f.user), 0)
        below = [f.posix for f in self.frames[len(self.frames) - after :]]
        return bool(below) and all(path.endswith(LOSS_FILES) for path in below)

    @property
    def _ends_in_loss(self) -> bool:
        """Whether a traceback is cut off at the user's line, which calls a loss by its name."""
        from keng.pitfalls.roles import roles_on  # most errors are not of a loss

        return bool(self.frames) and self.frames[-1].user and "target" in roles_on(self.line)

    def in_layer(self, kind: str) -> bool:
        """Whether the forward of a layer of torch.nn raised: "Linear"."""
        if self.live.layer is not None:
            return self.live.layer.kind == kind
        homes = (file for file, kinds in LAYERS.items() if re.fullmatch(kinds, kind))
        return self.passed_through(f"/torch/nn/modules/{next(homes, f'{kind.lower()}.py')}")

    @property
    def layer_name(self) -> str:
        """The layer as the user's code names it: its path in the model, or what the failing line calls
        of `self`; nothing where that is not clear."""
        if self.live.layer is not None:
            return self.live.layer.path
        if self.live.given_layer:
            return self.live.given_layer
        found = set(re.findall(r"\bself\.\w+(?:\[\d+\])?(?=\()", self.line))
        if len(found) > 1 and self.code is not None:
            code = self.code.text
            found = {name for name in found if self._is_made_as_one(name, code)}
        return found.pop() if len(found) == 1 else ""

    def _is_made_as_one(self, name: str, code: str) -> bool:
        """Whether the code makes a layer of that name, of the file of torch.nn that raised."""
        files = [f.path.rpartition("/")[2] for f in self.frames if "torch/nn/modules/" in f.path]
        kinds = LAYERS.get(files[-1] if files else "", "")
        made = rf"{re.escape(name)}\s{{0,4}}=\s{{0,4}}(?:torch\.)?(?:nn\.)?(?:{kinds})\("
        return bool(kinds) and re.search(made, code) is not None

    @property
    def layer(self) -> str:
        """In words; a text does not tell which of a Sequential's layers raised."""
        if not self.layer_name:
            return sentence("the_layer")
        inside = any(frame.path.endswith("container.py") for frame in self.frames)
        if inside and not self.live.layer:
            return sentence("a_layer_in", name=self.layer_name)
        return f"`{self.layer_name}`"

    @property
    def input(self) -> Operand | None:
        """What the layer was given, where that is known."""
        alive = self.live.layer
        inputs = alive.inputs if alive is not None else self.live.given_inputs
        return inputs[0] if inputs else None

    @property
    def input_name(self) -> str:
        """What the user calls what the layer was given: `x` where that is not known."""
        if self.input is not None:
            there = [o for o in self.live.operands if o.shape == self.input.shape]
            return there[0].name if len(there) == 1 else "x"
        return self.argument_of(re.escape(self.layer_name)) if self.layer_name else "x"

    def argument_of(self, functions: str) -> str:
        """The name that the failing line gives to one of these functions, a regular expression: `x`
        where it gives no single name."""
        found = set(re.findall(rf"\b(?:{functions})\(([A-Za-z_][\w.]*)[,)]", self.line))
        return found.pop() if len(found) == 1 else "x"

    def rebuild_layer(self, keyword: str, position: int, wants: int, came: int) -> Fix | None:
        """A fix, to be shown, that makes the layer for what came, where its constructor says `wants`."""
        if self.code is None or not self.layer_name:
            return None
        from keng.explain.advice.edits import refitted  # most errors come without their file

        line = self.place.line if self.place is not None else 0
        siblings = self.live.layer.siblings if self.live.layer is not None else {}
        layer = self.layer_name
        return refitted(self.code, layer, line, keyword, position, wants, came, siblings)

    def maker(self, wants: int, came: int, made: Sequence[str] = ()) -> Maker | None:
        """The layer that gave `came` to the one that raised, of a live exception; `made` are names of it, if
        they are known."""
        from keng.explain.inspecting.makers import maker_of  # only live errors need it

        trail = self.live.trail
        steps = reversed(trail.steps) if trail is not None and not made else ()
        made = made or [n for each in steps for n, shape in each.made[::-1] if f"{came}" in shape]
        return self.live.ask(partial(maker_of, made=made, wants=wants, came=came))

    def rebuild_maker(
        self, maker: Maker, keyword: str, position: int, other: str = ""
    ) -> Fix | None:
        """A fix, to be shown, that makes a layer for what the one that raised, or another one, says by an
        argument of its constructor."""
        from keng.explain.advice.edits import fitted_before  # most errors come without their file

        return self.ask_line(fitted_before, maker, other or self.layer_name, keyword, position)

    def rewrite(self, name: str, form: str) -> Fix | None:
        """A fix that writes another form of what the failing line names once: "{}.long()"."""
        if self.code is None:
            return None
        from keng.explain.advice.edits import (
            rewritten_argument,  # most errors come without their file
        )

        name = name.strip("`")
        return self.ask_line(rewritten_argument, name, form.format(name))

    def rewrite_input(self, form: str) -> Fix | None:
        """A fix that gives the layer that failed another form of its input: "{}.float()"."""
        failing = self.live.failing
        if failing is None:
            return self.rewrite(self.input_name, form)
        from keng.explain.advice.edits import rewritten_input  # only live errors need it

        return self.ask_line(rewritten_input, failing.place.column, self.input_name, form)

    def ask_line(
        self, how: Callable[Concatenate[Code, int, P], R], *given: P.args, **named: P.kwargs
    ) -> R | None:
        """What a function finds in the code of the failing line, such as a fix; None without its file."""
        line = self.place.line if self.place is not None else 0
        return how(self.code, line, *given, **named) if self.code is not None else None

    def ask_class(
        self, kept: Attribute, how: Callable[[Code, str, str], tuple[Fix, Span] | None]
    ) -> tuple[Fix | None, Span | None]:
        """A fix of an attribute in the file of its class, and its place if another file failed."""
        tree = self.code.trees.read(kept.file) if self.code is not None and kept.file else None
        if self.code is None or tree is None or isinstance(tree, Skipped):
            return None, None
        from keng.explain.advice.edits import method_at  # most errors come without their file

        home = self.code.at(tree)
        known = method_at(home, kept.kind, kept.line)
        fix, where = (how(home, kept.kind, kept.name) if known else None) or (None, None)
        return fix, where if home is not self.code else None

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
