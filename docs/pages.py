"""The pages that are made from what the house has already: a hook of mkdocs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from keng import pitfalls, recipes, toolbox
from keng._util.toml import load_toml
from keng.model import Pitfall
from keng.pitfalls.page import page_of
from keng.report import markdown
from keng.report.words import Words

HOME = Path(__file__).parent.parent
INDEX = {
    "en": ("pitfalls", "The pitfalls", "A page each; the programs that show it are its tests."),
    "zh": ("zh", "PyTorch 的坑", "每个坑一页，附上能重现它的程序；这些程序就是它的测试。"),
}
HEAD = ("| at | pitfall | verdict | why |", "|---|---|---|---|")
LEDGER = (
    "Every `error` and `warning` on code that others wrote, read by eye. A debatable finding counts",
    "as a false one. `python -m evals precision` counts them.",
)


def on_files(files: Files, config: Any) -> Files:
    for path, text in made():
        files.append(File.generated(config, path, content=text))
    return files


def made() -> Iterator[tuple[str, str]]:
    """Paths and texts."""
    units = list(pitfalls.every())
    for lang in INDEX:
        yield from of_pitfalls(units, lang)
    yield "recipes.md", of_recipes()
    yield "functions.md", of_functions()
    yield "precision.md", of_ledger()
    yield "costs.md", (HOME / "benchmarks/README.md").read_text("utf-8")
    yield "exams.md", (HOME / "evals/README.md").read_text("utf-8")
    yield "changelog.md", (HOME / "CHANGELOG.md").read_text("utf-8")
    yield "contributing.md", (HOME / "CONTRIBUTING.md").read_text("utf-8")


def of_pitfalls(units: list[Pitfall], lang: str) -> Iterator[tuple[str, str]]:
    folder, title, says = INDEX[lang]
    lines = [f"# {title}", "", says]
    for group, members in groupby(units, key=lambda unit: unit.group):
        lines += ["", f"## {group}", ""]
        for unit in members:
            page = page_of(unit, lang)
            lines.append(f"- [{unit.name}]({group}/{unit.name}.md): {page.title}")
            text = markdown.page(unit, page, Words(lang)).removeprefix("##")
            yield f"{folder}/{group}/{unit.name}.md", text
    yield f"{folder}/index.md", "\n".join(lines) + "\n"


def of_recipes() -> str:
    lines = ["# Recipes", ""]
    for recipe in recipes.every():
        lines += [f"## {recipe.name}", "", recipe.title, "", "```python", recipe.text, "```", ""]
    return "\n".join(lines)


def of_functions() -> str:
    names = [f"::: keng.toolbox.{home}.{name}" for name, home in sorted(toolbox.HOMES.items())]
    return "\n\n".join(["# Functions of `keng.toolbox`", *names]) + "\n"


def of_ledger() -> str:
    lines = ["# Precision of `keng check`", "", *LEDGER]
    told = load_toml(HOME / "evals/precision/ledger.toml")
    assert isinstance(told, dict)
    for source in [*told["repository"], *told["package"]]:
        lines += ["", f"## {source['name']}", "", *HEAD]
        for found in source.get("found", ()):
            lines.append("| {at} | `{pitfall}` | {verdict} | {why} |".format(**found))
    return "\n".join(lines) + "\n"
