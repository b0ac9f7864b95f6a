"""A running program: a dataset is changed after its workers started, and they keep the old copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from keng.model import say
from keng.run.events import EpochBegin
from keng.run.frames import is_user_made
from keng.run.recorder import Recorder
from keng.run.state import RunState
from keng.run.user_code import is_own, lineage_of

PLAIN = (bool, int, float, str)
"""Values that a worker has a copy of. Tensors and arrays may lie in memory that processes share."""
NOT_READERS = ("__init__", "__len__", "__repr__", "__str__")

Values = dict[tuple[type, str], Any]


class DatasetsOfWorkers(Recorder):
    """Compares plain attributes of a dataset, and of the objects it holds, at each epoch with those that
    its persistent workers started with."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.started: WeakKeyDictionary[Any, Values] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        iterator = event.iterator
        if not getattr(iterator, "_persistent_workers", False) or not iterator._num_workers:
            return
        known = self.started.get(iterator)
        if known is None:
            self.started[iterator] = _values(iterator._dataset)
        elif known:
            self._compare(iterator, known)

    def _compare(self, iterator: Any, known: Values) -> None:
        now = _values(iterator._dataset)
        changed = [key for key, value in known.items() if key in now and now[key] != value]
        for kind, name in changed:
            before = known.pop((kind, name))
            if _reads(kind, name):
                values = {"before": repr(before), "now": repr(now[kind, name])}
                says = say("copy-of-workers", name=name, **values)
                self.report(says, workers=iterator._num_workers)


def _values(dataset: Any) -> Values:
    found: Values = {}
    for holder in _holders(dataset):
        for name, value in list(vars(holder).items()):
            if type(value) in PLAIN:
                found[type(holder), name] = value
    return found


def _holders(dataset: Any) -> Iterator[Any]:
    """The program's own objects: the dataset or what a subset is taken of, and what these hold."""
    for _ in range(3):
        if is_user_made(dataset):
            yield dataset
            yield from (each for each in list(vars(dataset).values()) if is_user_made(each))
        inner = getattr(dataset, "__dict__", {}).get("dataset")
        if inner is None:
            return
        dataset = inner


def _reads(kind: type, attribute: str) -> bool:
    """Whether a method that does not set the attribute reads it."""
    for code, owner in lineage_of(kind):
        for method in code.below(owner, ast.FunctionDef):
            if method.name in NOT_READERS:
                continue
            own = [n for n in code.below(method, ast.Attribute) if is_own(n, attribute)]
            if own and all(isinstance(node.ctx, ast.Load) for node in own):
                return True
    return False
