"""What a release needs: that all files agree on the version, the notes, and the documentation in a folder for each version.

    python tools/release.py check v0.1.0
    python tools/release.py notes v0.1.0
    python tools/release.py docs v0.1.0 site published

`docs` puts a built site into `published/0.1.0` and `published/latest` and lists it in versions.json. The theme's choice of a
version reads that of the folder above a site; the Chinese site is one folder deeper, so each version has a list too.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent.parent
PLACES = {
    "pyproject.toml": r'^version = "(.+)"$',
    "src/keng/_util/version.py": r'^VERSION = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
    "editors/vscode/package.json": r'^  "version": "(.+)",$',
}
"""Where the version is written."""
LATEST = "latest"
REDIRECT = """<!doctype html>
<meta charset="utf-8">
<title>keng</title>
<meta http-equiv="refresh" content="0; url=latest/">
<a href="latest/">keng</a>
"""


def main(args: list[str]) -> int:
    match args:
        case ["check", tag]:
            return _report(list(disagreements(tag.removeprefix("v"))))
        case ["notes", tag]:
            print(notes(tag.removeprefix("v")))
        case ["docs", tag, site, published]:
            publish(tag.removeprefix("v"), Path(site), Path(published))
        case _:
            print(__doc__)
            return 2
    return 0


def _report(wrong: list[str]) -> int:
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


def disagreements(version: str, read: Callable[[str], str] | None = None) -> Iterator[str]:
    """Files that name another version, and a changelog without a dated section for it."""
    read = read or (lambda path: (HOME / path).read_text("utf-8"))
    for path, pattern in PLACES.items():
        found = re.search(pattern, read(path), re.MULTILINE)
        named = found[1] if found else "no version"
        if named != version:
            yield f"{path}: {named}, and the tag is {version}"
    if not re.search(
        rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", read("CHANGELOG.md"), re.MULTILINE
    ):
        yield f"CHANGELOG.md: no section `## {version} (YYYY-MM-DD)`"


def notes(version: str, text: str | None = None) -> str:
    """The section of the changelog. Raises ValueError where there is none."""
    text = (HOME / "CHANGELOG.md").read_text("utf-8") if text is None else text
    found = re.search(
        rf"^## {re.escape(version)} [^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise ValueError(f"CHANGELOG.md: no section of {version}")
    return found[1].strip()


def publish(version: str, site: Path, published: Path) -> None:
    """Versions that are there already stay."""
    published.mkdir(parents=True, exist_ok=True)
    for name in (version, LATEST):
        shutil.rmtree(published / name, ignore_errors=True)
        shutil.copytree(site, published / name)
    file = published / "versions.json"
    known = json.loads(file.read_text("utf-8")) if file.exists() else []
    others = [{**each, "aliases": []} for each in known if each["version"] != version]
    every = [{"version": version, "title": version, "aliases": [LATEST]}, *others]
    file.write_text(json.dumps(every, indent=2) + "\n", "utf-8")
    for each in every:
        _list_for_chinese(published / each["version"], every)
    _list_for_chinese(published / LATEST, every)
    (published / "index.html").write_text(REDIRECT, "utf-8")
    (published / ".nojekyll").touch()


def _list_for_chinese(site: Path, every: list[dict[str, Any]]) -> None:
    """All versions as seen from `zh/` of one: the theme goes one folder up and completes the version, and finds the one
    that is read by the name of its folder."""
    here = every[0]["version"] if site.name == LATEST else site.name
    listed = [
        {
            "version": f"../{each['version']}/zh",
            "title": each["title"],
            "aliases": ["zh"] if each["version"] == here else [],
        }
        for each in every
    ]
    (site / "versions.json").write_text(json.dumps(listed, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
