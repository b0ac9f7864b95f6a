"""One part of what a rank tells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from keng.run.events import Event
from keng.run.recorder import Recorder
from keng.run.state import RunState


@dataclass(slots=True)
class Looks:
    """Whether this step is checked: the same ones on every rank, for steps are counted alike."""

    now: bool = False


class Part(Recorder, ABC):
    """Listens as every recorder does once the program has joined others, and to what `dozes` names on
    steps that are checked only. `draft` begins to tell, in the program's own thread; what it returns
    is called in another, and gives fields of a `keng.ranks.Told`."""

    dozes: tuple[type[Event], ...] = ()

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run)
        self.looks = looks

    @abstractmethod
    def draft(self) -> Callable[[], Mapping[str, Any]]: ...
