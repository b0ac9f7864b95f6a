"""A running program: an index points outside the tensor, or is no integer."""

from __future__ import annotations

from typing import Any

from keng.model import say
from keng.run.events import BackwardFailed, ForwardFailed
from keng.run.recorder import Recorder
from keng.run.state import unwatched

FRAMES = 200


class FailedEmbeddings(Recorder):
    def forward_failed(self, event: ForwardFailed) -> None:
        self._look(event.error)

    def backward_failed(self, event: BackwardFailed) -> None:
        self._look(event.error)

    def _look(self, error: Exception) -> None:
        found = _indices(error) if type(error) is IndexError else None
        if found is not None:
            lowest, highest, rows = found
            says = say("embedding-range", lowest=lowest, highest=highest, rows=rows, last=rows - 1)
            self.report(says, highest=highest, rows=rows)


def _indices(error: Exception) -> tuple[int, int, int] | None:
    """The lowest and the highest index into an embedding, and the rows of its table."""
    at = error.__traceback__
    for _ in range(FRAMES):
        if at is None:
            return None
        code = at.tb_frame.f_code
        if code.co_name == "embedding" and "torch" in code.co_filename:
            return _range(at.tb_frame.f_locals)
        at = at.tb_next
    return None


def _range(variables: dict[str, Any]) -> tuple[int, int, int] | None:
    given, table = variables.get("input"), variables.get("weight")
    # On a device the values cannot be read: after such an error it no longer answers.
    if given is None or table is None or not given.is_cpu or not given.numel():
        return None
    if given.is_floating_point():
        return None
    with unwatched():
        lowest, highest = (int(value) for value in given.aminmax())
    return lowest, highest, int(table.shape[0])
