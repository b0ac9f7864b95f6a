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


def bounds(versions: str) -> tuple[str, str]:
    """The first and the last release of what pip lists, "2.0.0, 2.0.0+cpu, 2.1.0"; 0.1.2 is no wheel."""
    there = {each.partition("+")[0] for each in versions.split(", ")}
    found = sorted((each for each in there if number(each) > (0, 1, 2)), key=number)
    return (found[0], found[-1]) if found else ("", "")


def why_none(told: str, name: str, version: str) -> str:
    """Why pip, uv or poetry find no wheel of a package, as far as a text tells."""
    if INTEL_MAC.search(told):
        return "since 2.3 there is none for Macs of Intel"
    if says := there_are(told, name, version):
        return says
    if name == "triton":
        return "there are some for Linux alone, so leave it out elsewhere, or triton-windows"
    if name.startswith("nvidia-"):
        return "torch for Linux brings it by itself: a file of requirements for other systems leaves it out"
    if version.endswith("+") or "${" in told:
        return (
            "the version ends at its `+`: what was to name the "
            "CUDA is a variable that is empty or was not replaced"
        )
    if "+" in version and INDEX.search(told):
        return (
            "the index of PyTorch that is asked has no such build for this Python "
            "and system: its list shows which, https://download.pytorch.org/whl/torch/"
        )
    if "+" in version:
        return "builds with a `+` are not on PyPI: --index-url https://download.pytorch.org/whl/..."
    return "see its release's list of Pythons, and whether this one has 64 bits"


def there_are(told: str, name: str, version: str) -> str:
    """What pip's list, or the Python that a text speaks of, says of the releases that there are, where the
    one that is asked for is none of them."""
    listed = told.partition(f"requirement {name}{version} (from versions: ")[2].partition(")")[0]
    release, _, build = version.lstrip("=<>~v").partition("+")
    asked, (first, last) = number(release), bounds(listed)
    if asked and first and not number(first) <= asked <= number(last):
        return f"here they go from {first} to {last}, so one of those, or another Python"
    if build and (others := re.findall(rf"(?<![\d.]){re.escape(release)}(\+\w+)", listed)):
        return f"of {release} this index has {', '.join(others)}"
    return _for_python(told_python(told), asked) if name == "torch" and asked else ""


def _for_python(python: str, asked: tuple[int, ...]) -> str:
    first, last = PYTHONS.get(python, ("", ""))
    if first and asked < number(first):
        return f"torch has them for Python {python} from {first} on, so one of those, or an older Python"
    if last and asked > number(last):
        return f"torch has them for Python {python} up to {last}, so that one, or a newer Python"
    return ""
