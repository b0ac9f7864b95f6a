"""How old the torch of a text is, by what the text shows: a version, a Python, the stamp of a build."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import NamedTuple

from keng.explain.reading.versions import versions_in
from keng.tables.wheels import OLDER_PYTHONS, PYTHONS, RELEASED, number

LONGEST = 200_000
STAMP = re.compile(r"conda-bld/pytorch_(?P<seconds>1[4-9]\d{8})")
"""Conda names the folder of a build after the second it began in."""

PYTHON = re.compile(
    r"[/\\](?:lib[/\\])?python(?P<unix>2\.7|3\.\d{1,2})[/\\]|[/\\]Python(?P<windows>27|3\d{1,2})[/\\]",
    re.IGNORECASE,
)
OLD = re.compile(r"[/\\]aten[/\\]src[/\\]TH[A-Z]{0,4}[/\\]")
"""The sources of the first torch."""
OF_VARIABLES = re.compile(r"'Variable' object")
"""What tensors with a gradient were called before 0.4."""

BY_A_VENDOR = re.compile(r"\b(?:torch[_-])?directml\b|\bJetPack\b|\bJetson\b", re.IGNORECASE)
"""Where the newest torch of PyPI does not run."""

SIGNS = ((OLD, "1.10"), (OF_VARIABLES, "0.3.1"))


class Age(NamedTuple):
    """The newest release that it may be; `exact` where the text says which it is."""

    newest: str
    exact: bool = False

    def is_before(self, release: str) -> bool:
        return number(self.newest) < number(release)


def age_of(text: str) -> Age | None:
    """None where nothing in the text tells, or where a vendor chooses the release."""
    text = text[-LONGEST:]
    if BY_A_VENDOR.search(text):
        return None
    stated = versions_in(text).get("torch", "")
    if number(stated):
        return Age(stated.partition("+")[0], exact=True)
    signs = [last for sign, last in SIGNS if sign.search(text)]
    bounds = [*_by_stamp(text), *_by_python(text), *signs]
    return Age(min(bounds, key=number)) if bounds else None


def _by_stamp(text: str) -> list[str]:
    """The first release after the build."""
    found = STAMP.search(text)
    if found is None:
        return []
    day = datetime.fromtimestamp(int(found["seconds"]), timezone.utc).date().isoformat()
    return [release for release, date in RELEASED.items() if date >= day][:1]


def _by_python(text: str) -> list[str]:
    """The last release for the one Python that the paths are of."""
    found = {_dotted(each) for each in PYTHON.finditer(text)}
    if len(found) != 1:
        return []
    python = found.pop()
    last = OLDER_PYTHONS.get(python) or PYTHONS.get(python, ("", ""))[1]
    return [last] if last else []


def _dotted(path: re.Match[str]) -> str:
    plain = path["windows"]
    return path["unix"] or f"{plain[0]}.{plain[1:]}"
