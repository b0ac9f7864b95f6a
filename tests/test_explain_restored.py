"""What an exception tells of values and of what a file was to restore: it is said, and the fix runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from test_explain_mending import HEAD, found
from test_explain_turned import run

REGROUPED = (
    "net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1){more})\n"
    "old = torch.optim.SGD({saved}, lr=0.1)\n"
    "new = torch.optim.SGD({here}, lr=0.1)\n"
    "new.load_state_dict(old.state_dict())\n"
)
IN_TWO = "[{'params': net[0].parameters()}, {'params': net[1].parameters()}]"
ONE_BY_ONE = "[{'params': [p]} for p in net.parameters()]"
MENDED: dict[str, tuple[str, str]] = {}
LEFT: dict[str, str] = {}
SAID: dict[str, tuple[str, str]] = {
    "one group is saved, and two are there": (
        REGROUPED.format(saved="net.parameters()", here=IN_TWO, more=""),
        "saved were 4 parameters in groups of [4], and this optimizer has 4 in groups of [2, 2]: make its",
    ),
    "a layer was frozen": (
        REGROUPED.format(saved="net.parameters()", here="net[1].parameters()", more=""),
        "in groups of [4], and this optimizer has 2 in groups of [2]: make it for the same parameters",
    ),
    "there are many groups": (
        REGROUPED.format(
            saved=ONE_BY_ONE, here="net.parameters()", more=", *[nn.Linear(1, 1) for _ in range(9)]"
        ),
        "saved were 22 parameters in groups of [1, 1, 1, 1, 1, 1, ...], and this",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MENDED)
def test_it_runs_with_the_fix(tmp_path: Path, what: str) -> None:
    program, wanted = HEAD + MENDED[what][0], MENDED[what][1]
    fix = found(tmp_path, program).fix
    assert fix is not None
    mended = fix.applied_to(program.encode()).decode()
    assert wanted in mended
    assert run(tmp_path / "mended.py", mended) is None


@pytest.mark.parametrize("what", LEFT)
def test_nothing_is_proposed_where_it_is_not_sure(tmp_path: Path, what: str) -> None:
    fix = found(tmp_path, HEAD + LEFT[what]).fix
    assert fix is None or not fix.edits


@pytest.mark.parametrize("what", SAID)
def test_it_is_said_of_what_is_there(tmp_path: Path, what: str) -> None:
    assert SAID[what][1] in found(tmp_path, HEAD + SAID[what][0]).says
