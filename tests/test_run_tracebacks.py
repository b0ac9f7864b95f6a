"""The traceback of a run is the program's own, where keng was called in between too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from keng.runtime.bus import Bus
from keng.runtime.hub import Hub
from keng.runtime.probe import Probe
from keng.runtime.scene import Scene
from keng.runtime.tracebacks import strip


def frames(program: Callable[[], object]) -> list[str]:
    with pytest.raises(Exception) as info:  # noqa: PT011
        program()
    strip(info.value)
    return [f"{entry.path}:{entry.lineno + 1}" for entry in info.traceback]


@pytest.mark.parametrize(
    "program",
    [
        lambda: F.embedding(torch.tensor([9]), torch.ones(3, 2)),  # asks the mode from Python
        lambda: torch.ones(2, 3) @ torch.ones(2, 3),  # asks it from C++
    ],
)
def test_a_mode_of_kengs_leaves_no_frames(program: Callable[[], object]) -> None:
    bus = Bus(Scene(Hub([])), [], lambda *_: None)

    def probed() -> None:
        with Probe(bus):
            program()

    def bare() -> None:
        with torch.no_grad():
            program()

    assert frames(probed)[2:] == frames(bare)[2:]
