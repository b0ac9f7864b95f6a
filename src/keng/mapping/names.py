"""Names of a state dict in one spelling: without what wrappers put in, and as today's versions have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from keng.data.state_names import RENAMED, WRAPPERS


def canonical(names: Collection[str]) -> dict[str, str]:
    """Each name by its one spelling. Names that would fall together keep their own."""
    known = set(names)
    spelled = {name: unwrapped(renamed(name, known)) for name in names}
    times = Counter(spelled.values())
    made = {new if times[new] == 1 else name: name for name, new in spelled.items()}
    return made if len(made) == len(known) else {name: name for name in names}


def unwrapped(name: str) -> str:
    """By parts: `submodule.weight` keeps its name."""
    return ".".join(part for part in name.split(".") if part not in WRAPPERS)


def renamed(name: str, known: Collection[str]) -> str:
    for old, new, beside in RENAMED:
        front = name[: len(name) - len(old)]
        if name.endswith(f".{old}") and (not beside or front + beside in known):
            return front + new
    return name


def wrappers_of(name: str) -> Counter[str]:
    return Counter(part for part in name.split(".") if part in WRAPPERS)
