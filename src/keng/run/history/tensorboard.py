"""Scalars for TensorBoard."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class Board:
    """Every step, as it comes. Nothing is imported or written before the first."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._writer: Any = None

    def scalar(self, name: str, label: str, step: int, value: float) -> None:
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self._place))
        self._writer.add_scalar(f"{name}/{label}", value, step)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
