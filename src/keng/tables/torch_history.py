"""Which names and arguments torch brought and took away, by version.

The table next to this file is written by tools/torch_history.py from the wheels of the versions that its
first line names, one of every minor release.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from keng.tables.libraries import Change

TABLE = Path(__file__).with_suffix(".names")


def of_name(place: str, name: str) -> Change | None:
    """What became of a name that a module of torch, or `torch.Tensor`, is asked for; of a module (no name),
    of the outermost package that went or came."""
    if place.partition(".")[0] != "torch":
        return None
    if name:
        return _rows().get((place, name))
    first, *inner = place.split(".")
    places = ((".".join([first, *inner[:n]]), each) for n, each in enumerate(inner))
    return next((_rows()[each] for each in places if each in _rows()), None)


def of_argument(call: str, name: str) -> Change | None:
    """The same of an argument that a call gives by its name, as the code has it: `F.gelu`, `optim.AdamW`,
    `DataLoader`; of one that several take which that may be, nothing."""
    *before, last = call.replace("DDP", "DistributedDataParallel").split(".")
    places = [place for place in _owners().get(last, ()) if (f"{place}()", name) in _rows()]
    near = [
        place
        for place in places
        if before and place.split(".")[-2] in (before[-1], *WRITTEN.get(before[-1], ()))
    ]
    found = near or (places if not before or len(places) == 1 else [])
    rows = [_rows()[f"{place}()", name] for place in found]
    return rows[0] if rows and len({row[2:] for row in rows}) == 1 else None


def told(change: Change, what: str) -> str:
    """One line about what a program or a message calls it."""
    if change.came and change.gone:
        between = f"from {change.came} to before {change.gone} alone"
        return f"{what} is in torch {between}: such a torch, or another release of what asks for it"
    if change.came:
        return (
            f"{what} came to torch with {change.came}, and the one that is installed is older: "
            "a newer torch, or an older release of what asks for it"
        )
    gone = change.gone
    return f"{what} left torch with {gone}: a newer release of what asks for it, or torch<{gone}"


MADE = re.compile(r"(?:\b\w+\.){0,4}\b[A-Z]\w*(?=\()")
TOLD_BY_CODE = re.compile(
    r"(?:torch|nn|F|optim|lr_scheduler)\.|(?:DDP|DistributedDataParallel|DataLoader|GradScaler)$"
)


def of_argument_in(
    function: str, name: str, calls: list[str], line: str
) -> tuple[str, Change] | None:
    """The call, and what became of an argument that `function` does not take, as a message calls it: before
    Python 3.10 that is `__init__` alone. `calls` are those of torch in the line that failed."""
    made = MADE.findall(line) if function == "__init__" else calls
    shown = [call for call in made if call in calls or TOLD_BY_CODE.match(call)]
    shown += (
        [function] if function.startswith(("Module.", "Optimizer.", "MultiheadAttention.")) else []
    )
    rows = [(call, of_argument(call, name)) for call in shown]
    found = [(call, row) for call, row in rows if row is not None]
    return found[0] if len(found) == 1 else None


WRITTEN = {"F": ("functional",), "torch": ("torch", "Tensor")}
"""What modules are called in code."""


@cache
def _rows() -> dict[tuple[str, str], Change]:
    lines = TABLE.read_text("utf-8").splitlines()[1:]
    fields = (line.split("|") for line in lines)
    return {
        (place, name): Change(place, name, came, gone, "")
        for place, came, gone, names in fields
        for name in names.split()
    }


@cache
def _owners() -> dict[str, tuple[str, ...]]:
    """`AdamW` -> the full names of what is called so and has arguments in the table."""
    found: dict[str, tuple[str, ...]] = {}
    for place in dict.fromkeys(place[:-2] for place, _ in _rows() if place.endswith("()")):
        last = place.rpartition(".")[2]
        found[last] = (*found.get(last, ()), place)
    return found
