"""Numbers of a device on their way to the host."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class Underway:
    """A small tensor that is copied behind the work that a GPU has queued, to where the host can look
    whether it has come. To read it from the device would wait until all of that work is done."""

    __slots__ = ("_event", "_host")

    def __init__(self, tensor: Tensor) -> None:
        self._host = tensor
        self._event: Any = None
        if tensor.is_cuda:
            self._host = torch.empty(
                tensor.shape, dtype=tensor.dtype, device="cpu", pin_memory=True
            )
            self._host.copy_(tensor, non_blocking=True)
            self._event = torch.cuda.Event()  # type: ignore[no-untyped-call]
            self._event.record(torch.cuda.current_stream(tensor.device))

    def come(self) -> bool:
        return self._event is None or bool(self._event.query())

    def values(self) -> Any:
        """Nested lists; waits for the copy where it has not come."""
        if self._event is not None:
            self._event.synchronize()
        return self._host.tolist()
