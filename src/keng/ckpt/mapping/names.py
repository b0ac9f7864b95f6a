"""Names of a state dict in one spelling: without what wrappers put in, and as today's versions have them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from keng.tables.state_names import RENAMED, ROLES, WRAPPERS

ROLE = {name: names[0] for names in ROLES for name in names}


def canonical(names: Collection[str]) -> dict[str, str]:
    """Each name by its one spelling. Names that would fall together keep their own."""
    sign = "/" if not any("." in name for name in names) else "."
    dotted = {name: name.replace(sign, ".") for name in names}
    known = set(dotted.values())
    spelled = {name: unwrapped(renamed(each, known)) for name, each in dotted.items()}
    times = Counter(spelled.values())
    made = {new if times[new] == 1 else name: name for name, new in spelled.items()}
    return made if len(made) == len(names) else {name: name for name in names}


def squashed(name: str) -> str:
    """Without the signs between its parts."""
    return re.sub(r"[._/]", "", name).lower()


def unwrapped(name: str) -> str:
    """By parts: `submodule.weight` keeps its name."""
    return ".".join(part for part in name.split(".") if part not in WRAPPERS)


def renamed(name: str, known: Collection[str]) -> str:
    for old, new, beside in RENAMED:
        front = name[: len(name) - len(old)]
        if name.endswith(f".{old}") and (not beside or front + beside in known):
            return front + new
    return name


def role_of(prefix: str) -> str:
    """Which of several equal layers a name speaks of; empty where it does not."""
    found = (ROLE[part] for part in reversed(prefix.lower().split(".")) if part in ROLE)
    return next(found, "")


def meaning(part: str) -> str:
    """Without numbers: where they stand tells what they count."""
    return ROLE.get(part.lower()) or part.rstrip("0123456789")


def wrappers_of(name: str) -> Counter[str]:
    return Counter(part for part in name.split(".") if part in WRAPPERS)
