"""Which releases of torch have wheels for which Python, as `pip index versions torch` lists them."""

from __future__ import annotations

import re

PYTHONS = {
    "3.6": ("", "1.10.2"),
    "3.7": ("", "1.13.1"),
    "3.8": ("1.4.0", "2.4.1"),
    "3.9": ("1.7.1", "2.8.0"),
    "3.10": ("1.11.0", "2.14.1"),
    "3.11": ("1.13.0", ""),
    "3.12": ("2.2.0", ""),
    "3.13": ("2.5.0", ""),
    "3.14": ("2.9.0", ""),
}
"""A Python -> the first and the last release for it, under Linux; under Windows those for 3.11 begin with
2.0.0, those for 3.13 with 2.6.0."""

OLDER_PYTHONS = {"2.7": "1.4.0", "3.5": "1.5.1"}
"""The last release for a Python that none is built for any more."""

RELEASED = {
    "0.4.0": "2018-04-24",
    "0.4.1": "2018-07-26",
    "1.0.0": "2018-12-07",
    "1.0.1": "2019-02-07",
    "1.1.0": "2019-04-30",
    "1.2.0": "2019-08-08",
    "1.3.0": "2019-10-10",
    "1.3.1": "2019-11-07",
    "1.4.0": "2020-01-15",
    "1.5.0": "2020-04-21",
    "1.5.1": "2020-06-18",
    "1.6.0": "2020-07-28",
    "1.7.0": "2020-10-27",
    "1.7.1": "2020-12-10",
    "1.8.0": "2021-03-04",
    "1.8.1": "2021-03-25",
    "1.9.0": "2021-06-15",
    "1.10.0": "2021-10-21",
    "1.11.0": "2022-03-10",
    "1.12.0": "2022-06-28",
    "1.12.1": "2022-08-05",
    "1.13.0": "2022-10-28",
    "2.0.0": "2023-03-15",
}
"""A release of torch -> its day; a conda build begins shortly before it."""

INDEX = re.compile(r"https?://download\.pytorch\.org/whl")

RELEASE = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,3}")
INTEL_MAC = re.compile(r"macosx_\w{1,10}_x86_64")
PYTHON = re.compile(r"\b[Pp]ython[ :=]{0,3}3\.(\d{1,2})\b|\b[Pp]ython3(\d{1,2})\b|\bcp3(\d{1,2})\b")


def number(release: str) -> tuple[int, ...]:
    """ "2.1.0+cu118" as what compares; nothing for what is no release."""
    found = RELEASE.fullmatch(release.partition("+")[0])
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def told_python(text: str) -> str:
    """The one Python 3 that a text speaks of."""
    found = {"".join(each) for each in PYTHON.findall(text)}
    return f"3.{found.pop()}" if len(found) == 1 else ""


def newest_python(release: str) -> str:
    """The newest Python that has wheels of a release of torch; empty for one without any here."""
    asked = number(release)
    fits = [
        python
        for python, (first, last) in PYTHONS.items()
        if number(first) <= asked and (not last or asked <= number(last))
    ]
    return max(fits, key=number, default="") if asked else ""


def is_older(one: str, other: str) -> bool:
    """Whether a version of Python is older than another."""
    return number(one) < number(other)


def bounds(versions: str) -> tuple[str, str]:
    """The first and the last release of what pip lists, "2.0.0, 2.0.0+cpu, 2.1.0"; 0.1.2 is no wheel."""
    there = {each.partition("+")[0] for each in versions.split(", ")}
    found = sorted((each for each in there if number(each) > (0, 1, 2)), key=number)
    return (found[0], found[-1]) if found else ("", "")
