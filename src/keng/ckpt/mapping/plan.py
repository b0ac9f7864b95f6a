"""The nouns of a mapping, and the plan as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

Shape = tuple[int, ...]


class Entry(NamedTuple):
    """A tensor of a state dict. The shape is None where only the name is known. `tied` is the first name
    of what lies in the same memory, where this is another."""

    shape: Shape | None = None
    dtype: str = ""
    tied: str = ""


Entries = Mapping[str, Entry]

How = Literal[
    "copy",
    "reshape",  # as many elements: a linear layer and a 1 x 1 convolution, [] and [1]
    "transpose",  # Conv1D of GPT-2 and Linear
    "channels",  # another number of input channels
    "rows",  # another vocabulary: the rows that both have
    "interpolate",  # a table of positions of another length
    "split",  # rows of a fused layer
    "join",  # several, row after row, into a fused layer
]
EXACT = ("copy", "reshape", "transpose", "split", "join")
"""What keeps every value."""

Why = Literal[
    "shape",  # no way from one shape to the other is known
    "head",  # another number of classes
    "variant",  # the whole model is of another width
    "sharded",  # ZeRO-3 saved it empty
    "quantized",  # the file has whole numbers, whose scales stand elsewhere
    "counter",  # num_batches_tracked
    "remade",  # the model makes it itself
    "lora",  # of an adapter next to the weights
    "fused",  # the parts of a fused layer are not known to lie one after another
    "absent",  # the other side has nothing like it
]
HARMLESS = ("counter", "remade")


class Move(NamedTuple):
    """An entry of the file that goes into one of the model; `shape` is the model's. `rows` are those that
    are split off, from the first to before the last, and how many there are; `more` is joined behind the
    source. Where it is turned, the fused layer has its inputs first (Conv1D), and the others have not."""

    source: str
    target: str
    how: How = "copy"
    shape: Shape | None = None
    rows: tuple[int, ...] = ()
    more: tuple[str, ...] = ()
    turned: bool = False


class Rule(NamedTuple):
    """What was done to names, and to how many. A rule that is not sure rests on equal shapes alone, or
    on nothing else's being left.

    wrapper: a part of the name, wherever it stands; prefix: a beginning, with its last dot; rename: an end
    that other versions call otherwise; order: what is before the numbers of layers in a row that go
    together in their order, under other numbers; spelled: other signs between the parts; only: a
    beginning too, of the only layer that is left on either side where no shapes are known."""

    kind: Literal["wrapper", "prefix", "rename", "order", "spelled", "only"]
    old: str
    new: str
    times: int
    sure: bool = True


class Unmatched(NamedTuple):
    """An entry of one side that has none on the other. The shapes are the file's and the model's."""

    name: str
    why: Why
    file: Shape | None = None
    model: Shape | None = None


class Plan(NamedTuple):
    """`nesting` leads from the root of the file to the weights. `rivals` are prefixes, or nestings, that
    fit as well as what the plan takes: it is a choice, and not the plan's. `variant` says how another
    model differs ("768 where the model has 512")."""

    moves: tuple[Move, ...]
    missing: tuple[Unmatched, ...]
    unused: tuple[Unmatched, ...]
    rules: tuple[Rule, ...] = ()
    nesting: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    variant: str = ""

    @property
    def exact(self) -> tuple[Move, ...]:
        return tuple(move for move in self.moves if move.how in EXACT)

    @property
    def lacking(self) -> tuple[Unmatched, ...]:
        """What the model has and nothing fills, without what it does not need."""
        return tuple(each for each in self.missing if each.why not in HARMLESS)

    @property
    def whole(self) -> bool:
        """Whether every entry of the model is filled as it was saved, and there was no choice."""
        sure = not self.rivals and self.likely is None
        return sure and not self.lacking and len(self.exact) == len(self.moves)

    @property
    def settled(self) -> bool:
        """Whether names explain the difference, or what is fused: they take most of the model's entries to
        their places, without a choice, and it is no other variant."""
        every = len(self.moves) + len(self.missing)
        changed = bool(self.rules or self.nesting or self.split or self.joined)
        changed = changed and self.likely is None
        return changed and not (self.rivals or self.variant) and 2 * len(self.exact) >= every > 0

    @property
    def split(self) -> int:
        """How many entries of the file go into several of the model."""
        return len({move.source for move in self.moves if move.how == "split"})

    @property
    def joined(self) -> int:
        """How many entries of the model are made of several."""
        return sum(move.how == "join" for move in self.moves)

    @property
    def likely(self) -> Rule | None:
        """A change of names that nothing but their being left speaks for."""
        return next((rule for rule in self.rules if rule.kind == "only"), None)

    @property
    def score(self) -> tuple[int, int, int]:
        """What makes one plan better than another: entries filled, moved at all, and few left over."""
        return len(self.exact), len(self.moves), -len(self.unused)

    def as_json(self) -> dict[str, Any]:
        listed = (self.moves, self.missing, self.unused, self.rules)
        records = [[each._asdict() for each in many] for many in listed]
        return {**self._asdict(), **dict(zip(self._fields, records, strict=False))}

    @classmethod
    def of_json(cls, data: Any) -> Plan:
        """Raises ValueError where it is no plan."""
        try:
            return cls(
                tuple(_move(each) for each in data["moves"]),
                tuple(Unmatched(**_tuples(each)) for each in data["missing"]),
                tuple(Unmatched(**_tuples(each)) for each in data["unused"]),
                tuple(Rule(**each) for each in data["rules"]),
                tuple(str(key) for key in data["nesting"]),
                tuple(str(name) for name in data["rivals"]),
                str(data["variant"]),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"no mapping plan: {error}") from None


def _move(data: dict[str, Any]) -> Move:
    move = Move(**_tuples(data))
    rows = 3 if move.how == "split" else 0
    named = all(isinstance(name, str) for name in (move.source, move.target, *move.more))
    known = move.how in get_args(How) and named and bool(move.more) == (move.how == "join")
    if not known or len(move.rows) != rows or not all(isinstance(row, int) for row in move.rows):
        raise TypeError(f"a move that is none: {data}")
    return move


def _tuples(data: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
