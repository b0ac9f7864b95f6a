"""One part of what a rank tells."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

from keng.model import Span
from keng.ranks.calls import Named
from keng.ranks.collect.totals import Totals
from keng.run.events import Event
from keng.run.recorder import Recorder
from keng.run.state import RunState

if TYPE_CHECKING:
    from torch import Tensor

KEPT = 64


class Sum(NamedTuple):
    """Of a tensor, which was changed so often before."""

    tensor: ref[Tensor]
    group: Any
    changes: int

    def of(self, tensor: Tensor, group: Any) -> bool:
        """Whether it is the last thing that was done to this tensor."""
        same = self.tensor() is tensor and self.group is group
        return same and self.changes == tensor._version


@dataclass(slots=True)
class Looks:
    """`now` is whether this step is checked, the same ones on every rank. `summed` are the addresses of
    the tensors that the program has summed over all ranks since the last step, `lengths` the numbers of
    elements of the flat ones, `lines` by address what summed them in a step that is checked.
    `summed_in` are by address the ranks over which it has summed tensors in
    smaller groups. `again` are the addresses of tensors that it has summed twice over the same ranks, without
    a change in between. `named` are the last collectives that it has called in a step that is checked, or
    from a line that calls rarely, `made` is how many it has called of all ranks, and `totals` what it has
    summed. `padded` are functions that read samples which a sampler repeats, and `gathered` those of them
    that call a collective afterwards, themselves or by others."""

    now: bool = False
    summed: set[int] = field(default_factory=set)
    lengths: set[int] = field(default_factory=set)
    lines: dict[int, Span] = field(default_factory=dict)
    summed_in: dict[int, tuple[int, ...]] = field(default_factory=dict)
    sums: dict[int, Sum] = field(default_factory=dict)
    again: set[int] = field(default_factory=set)
    named: deque[Named] = field(default_factory=lambda: deque(maxlen=KEPT))
    made: int = 0
    padded: set[CodeType] = field(default_factory=set)
    gathered: set[CodeType] = field(default_factory=set)
    totals: Totals = field(default_factory=Totals)

    def end_step(self) -> None:
        self.summed.clear()
        self.lengths.clear()
        self.lines.clear()
        self.summed_in.clear()
        self.sums.clear()
        self.again.clear()

    def sum(self, tensor: Tensor, group: Any) -> None:
        """Notes a sum over the ranks of a group, which does not count as a change (`_version`)."""
        last = self.sums.get(id(tensor))
        if last is not None and last.of(tensor, group):
            self.again.add(tensor.data_ptr())
        self.sums[id(tensor)] = Sum(ref(tensor), group, tensor._version)


class Silent:
    """Tells nothing."""

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        return dict

    def last_words(self) -> Mapping[str, Any]:
        return {}


class Part(Silent, Recorder):
    """Listens as every recorder does once the program has joined others, and to what `dozes` names on
    steps that are checked only. `draft` begins to tell, in the program's own thread; what it returns
    is called in another, and gives fields of a `keng.ranks.Told`. `last_words` are some more, at the
    end."""

    dozes: tuple[type[Event], ...] = ()

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run)
        self.looks = looks
